; import y = require("y") exists in TypeScript only.
(import_require_clause source: (string) @import)
