; What a file imports.
(import_spec path: (_) @import)

; A protocol method name where code chooses by it. The quotes belong to the literal; the alternatives are the
; methods that every server of some revision has to tell apart.
(expression_case
  value: (expression_list [(interpreted_string_literal) (raw_string_literal)] @method)
  (#match? @method "^[\"`](initialize|ping|tools/list|tools/call|resources/list|resources/read|prompts/list|prompts/get|server/discover|notifications/initialized)[\"`]$"))

(binary_expression
  left: (_) @operand
  operator: ["==" "!="]
  right: [(interpreted_string_literal) (raw_string_literal)] @method
  (#match? @method "^[\"`](initialize|ping|tools/list|tools/call|resources/list|resources/read|prompts/list|prompts/get|server/discover|notifications/initialized)[\"`]$"))

(binary_expression
  left: [(interpreted_string_literal) (raw_string_literal)] @method
  operator: ["==" "!="]
  right: (_) @operand
  (#match? @method "^[\"`](initialize|ping|tools/list|tools/call|resources/list|resources/read|prompts/list|prompts/get|server/discover|notifications/initialized)[\"`]$"))

(keyed_element
  . (literal_element [(interpreted_string_literal) (raw_string_literal)] @method)
  (#match? @method "^[\"`](initialize|ping|tools/list|tools/call|resources/list|resources/read|prompts/list|prompts/get|server/discover|notifications/initialized)[\"`]$"))

(index_expression
  index: [(interpreted_string_literal) (raw_string_literal)] @method
  (#match? @method "^[\"`](initialize|ping|tools/list|tools/call|resources/list|resources/read|prompts/list|prompts/get|server/discover|notifications/initialized)[\"`]$"))

(call_expression
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @method)
  (#match? @method "^[\"`](initialize|ping|tools/list|tools/call|resources/list|resources/read|prompts/list|prompts/get|server/discover|notifications/initialized)[\"`]$"))

; The name of a constant is what the code then chooses by.
(const_spec
  value: (expression_list [(interpreted_string_literal) (raw_string_literal)] @method)
  (#match? @method "^[\"`](initialize|ping|tools/list|tools/call|resources/list|resources/read|prompts/list|prompts/get|server/discover|notifications/initialized)[\"`]$"))
