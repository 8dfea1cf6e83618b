; Modules that the file imports. A relative module keeps its dots.
(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import)

; A protocol method name where code chooses by it. A name that is only sent, as in {"method": "ping"}, is no fact.
([
  (comparison_operator (string) @method)
  (case_pattern (string) @method)
  (union_pattern (string) @method)
  (keyword_pattern (string) @method)
  (pair key: (string) @method)
  (argument_list . (string) @method)
  (subscript subscript: (string) @method)
  (list (string) @method)
  (set (string) @method)
  (tuple (string) @method)
 ]
 (#match? @method "^[bBrRuUfF]{0,2}(\"{1,3}|'{1,3})(initialize|ping|tools/list|tools/call|resources/list|resources/read|prompts/list|prompts/get|server/discover|notifications/initialized)(\"{1,3}|'{1,3})$"))
