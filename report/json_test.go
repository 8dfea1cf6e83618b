package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compile compiles the published schema after an edit of every object in it.
func compile(t *testing.T, edit func(object map[string]any)) *jsonschema.Schema {
	t.Helper()
	raw, err := Schema("report")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	objects(doc, edit)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(schemaURL, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(schemaURL)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// objects calls f on every schema that has properties.
func objects(node any, f func(map[string]any)) {
	switch n := node.(type) {
	case map[string]any:
		if _, ok := n["properties"].(map[string]any); ok {
			f(n)
		}
		for _, k := range slices.Sorted(maps.Keys(n)) {
			objects(n[k], f)
		}
	case []any:
		for _, x := range n {
			objects(x, f)
		}
	}
}

// TestSchema validates every golden file, also with a strict form of the schema: a key that is not in it is a
// mistake of ours, though consumers must allow for it.
func TestSchema(t *testing.T) {
	published := compile(t, func(map[string]any) {})
	strict := compile(t, func(o map[string]any) { o["additionalProperties"] = false })
	goldens, err := filepath.Glob("testdata/*.json.golden")
	if err != nil || len(goldens) != len(fixtures) {
		t.Fatalf("%d golden files for %d fixtures, error %v", len(goldens), len(fixtures), err)
	}
	for _, file := range goldens {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		for name, schema := range map[string]*jsonschema.Schema{"published": published, "strict": strict} {
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%s: the %s schema: %v", file, name, err)
			}
		}
	}
}

// TestSchemaRefuses takes every key away in turn, and adds one: a schema that allows all would not notice.
func TestSchemaRefuses(t *testing.T) {
	published := compile(t, func(map[string]any) {})
	strict := compile(t, func(o map[string]any) { o["additionalProperties"] = false })
	for _, name := range []string{"findings", "live", "servers", "gaps", "probe-twin", "probe-incomplete"} {
		out := write(t, JSON, fixtures[name]())
		var doc any
		if err := json.Unmarshal(out, &doc); err != nil {
			t.Fatal(err)
		}
		spoil(doc, "", func(where string) {
			if published.Validate(doc) == nil {
				t.Errorf("%s: the schema allows a report without %s", name, where)
			}
		}, func(where string) {
			if err := published.Validate(doc); err != nil {
				t.Errorf("%s: the schema does not allow a new key in %s: %v", name, where, err)
			}
			if strict.Validate(doc) == nil {
				t.Errorf("%s: the strict schema allows a new key in %s", name, where)
			}
		})
	}
}

// spoil takes each key of a document away, calls removed and puts it back; and adds a key to each object, calls
// added and takes it away. Of a list it looks at the first member.
func spoil(node any, where string, removed, added func(string)) {
	switch n := node.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(n)) {
			v := n[k]
			delete(n, k)
			removed(where + "/" + k)
			n[k] = v
			spoil(v, where+"/"+k, removed, added)
		}
		n["somethingNew"] = true
		added(where)
		delete(n, "somethingNew")
	case []any:
		if len(n) > 0 {
			spoil(n[0], where+"/0", removed, added)
		}
	}
}

func TestSchemaNames(t *testing.T) {
	objects(func() any {
		raw, err := Schema("report.v1")
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		if doc["$id"] != schemaURL {
			t.Errorf("the schema is %v, reports point to %s", doc["$id"], schemaURL)
		}
		return doc
	}(), func(o map[string]any) {
		var required []string
		for _, k := range o["required"].([]any) {
			required = append(required, k.(string))
		}
		slices.Sort(required)
		if diff := cmp.Diff(slices.Sorted(maps.Keys(o["properties"].(map[string]any))), required); diff != "" {
			t.Errorf("keys that may be absent (-properties +required)\n%s", diff)
		}
	})
	if _, err := Schema("sarif"); err == nil {
		t.Error("there is a schema of that name")
	}
}

// TestJSONKeepsData reads hostile text back: it is escaped in the bytes and whole in the data.
func TestJSONKeepsData(t *testing.T) {
	r := hostile()
	var doc struct {
		Servers  []struct{ Name string }
		Findings []struct {
			Message   string
			Locations []struct{ Path, Note string }
		}
	}
	if err := json.Unmarshal(write(t, JSON, r), &doc); err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]string{
		{r.Repo.Servers[0].Name, doc.Servers[0].Name},
		{r.Checks[0].Message, doc.Findings[0].Message},
		{r.Checks[0].Evidence[0].Note, doc.Findings[0].Locations[0].Note},
		{r.Checks[0].Evidence[2].Span.File, doc.Findings[0].Locations[2].Path},
	} {
		if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
			t.Errorf("mismatch (-want +got)\n%s", diff)
		}
	}
}

// TestEscapeEveryRune writes a string of all runes: the bytes are harmless and the string comes back.
func TestEscapeEveryRune(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) {
			all.WriteRune(r)
		}
	}
	r := clean()
	r.Checks[0].Message = all.String()
	out := write(t, JSON, r)
	harmless(t, out)
	var doc struct{ Coverage []struct{ Why string } }
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Coverage[0].Why != all.String() {
		t.Error("the string does not come back")
	}
}

// TestPositions holds the units of JSON apart: bytes from 0, columns from 1 in code points.
func TestPositions(t *testing.T) {
	var doc struct {
		Findings []struct {
			Locations []struct {
				Path       string
				Start, End struct{ Line, Column, Byte int }
			}
		}
	}
	if err := json.Unmarshal(write(t, JSON, wide()), &doc); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range doc.Findings {
		l := f.Locations[0]
		got[l.Path] = fmt.Sprintf("%d:%d@%d-%d:%d@%d", l.Start.Line, l.Start.Column, l.Start.Byte, l.End.Line, l.End.Column, l.End.Byte)
	}
	for path, want := range map[string]string{
		"tabs.ts":  "1:13@12-1:17@16",
		"emoji.py": "1:11@16-1:15@20",
		"marks.py": "1:12@14-1:16@18",
		"crlf.ts":  "2:1@10-2:5@14",
		"bom.ts":   "1:2@3-1:6@7",
		"multi.ts": "1:11@10-3:2@26",
	} {
		if got[path] != want {
			t.Errorf("%s: %s, want %s", path, got[path], want)
		}
	}
}
