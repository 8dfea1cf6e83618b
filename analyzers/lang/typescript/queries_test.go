//go:build cgo

package typescript

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCaptures(t *testing.T) {
	tests := []struct {
		name, file, src string
		imports         []string
		methods         []string
	}{
		{
			name: "imports of TypeScript", file: "a.ts",
			src: `import a from "a"; import type B from 'b'; import "c"; export * from "d"; export { e } from "e";
				import f = require("f"); const g = require("g"), h = await import("h"); requires("no"); x.require("no");
				type T = import("of a type").T;`,
			imports: []string{`"a"`, `'b'`, `"c"`, `"d"`, `"e"`, `"f"`, `"g"`, `"h"`, `"of a type"`},
		},
		{
			name: "imports of JavaScript", file: "a.js",
			src:     `import a from "a"; export * from 'b'; const c = require("c"); import("d"); const e = "no";`,
			imports: []string{`"a"`, `'b'`, `"c"`, `"d"`},
		},
		{
			name: "a switch", file: "a.tsx",
			src:     `switch (m) { case "initialize": case 'tools/list': break; case "other": }`,
			methods: []string{`"initialize"`, `'tools/list'`},
		},
		{
			name: "comparisons", file: "a.js",
			src:     `m === "ping"; m == "ping"; "tools/call" !== m; m != "prompts/get"; m + "tools/list"; m === "pinged"`,
			methods: []string{`"ping"`, `"ping"`, `"tools/call"`, `"prompts/get"`},
		},
		{
			name: "tables", file: "a.ts",
			src: `const t = { "initialize": f, 'resources/list'() {}, ["resources/read"]: g, ping: h, v: "prompts/list" };
				t["server/discover"] = i; new Map([["notifications/initialized", j], ["prompts/list", k]]);
				const flat = ["tools/list"];`,
			methods: []string{
				`"initialize"`, `'resources/list'`, `"resources/read"`, `"server/discover"`,
				`"notifications/initialized"`, `"prompts/list"`,
			},
		},
		{
			name: "first arguments", file: "a.mjs",
			src:     `on("tools/list", f); on(x, "tools/call"); log({ method: "ping" });`,
			methods: []string{`"tools/list"`},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree, _ := parse(t, test.file, test.src)
			if diff := cmp.Diff(test.imports, tree.Captured("import")); diff != "" {
				t.Errorf("imports (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.methods, tree.Captured("method")); diff != "" {
				t.Errorf("methods (-want +got):\n%s", diff)
			}
		})
	}
}
