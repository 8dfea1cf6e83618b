; Modules that a file names.
(import_statement source: (string) @import)
(export_statement source: (string) @import)
(call_expression
  function: (identifier) @operand
  arguments: (arguments . (string) @import)
  (#eq? @operand "require"))
(call_expression
  function: (import)
  arguments: (arguments . (string) @import))

; Protocol methods where a message is dispatched: a case, a comparison, a key, an index, a first argument, the
; first element of an entry in a table of pairs.
([
  (switch_case value: (string) @method)
  (binary_expression left: (string) @method operator: ["==" "===" "!=" "!=="])
  (binary_expression operator: ["==" "===" "!=" "!=="] right: (string) @method)
  (pair key: (string) @method)
  (pair key: (computed_property_name (string) @method))
  (method_definition name: (string) @method)
  (subscript_expression index: (string) @method)
  (arguments . (string) @method)
  (array (array . (string) @method))
] (#match? @method "^.(initialize|ping|tools/list|tools/call|resources/list|resources/read|prompts/list|prompts/get|server/discover|notifications/initialized).$"))
