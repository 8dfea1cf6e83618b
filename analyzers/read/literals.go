package read

import (
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// templateText is the source of a string with null in its holes.
func templateText(f *code.File, e *code.Expr) string {
	if e.Span.End > len(f.Src) || e.Span.Start < 0 || e.Span.End-e.Span.Start > 1<<16 {
		return ""
	}
	src := string(f.Src[e.Span.Start:e.Span.End])
	for i := len(e.Args) - 1; i >= 0; i-- {
		if e.Args[i] == nil {
			return ""
		}
		start, end := e.Args[i].Span.Start-e.Span.Start, e.Args[i].Span.End-e.Span.Start
		if start < 0 || end > len(src) || start > end {
			return ""
		}
		open, shut := strings.LastIndexByte(src[:start], '{'), strings.IndexByte(src[end:], '}')
		if open < 0 || shut < 0 {
			return ""
		}
		if open > 0 && src[open-1] == '$' {
			open--
		}
		src = src[:open] + "null" + src[end+shut+1:]
	}
	if f.Lang == "python" {
		src = strings.NewReplacer("{{", "{", "}}", "}").Replace(src)
	}
	return src
}

func (m *machine) object(st state, fr *frame, e *code.Expr) []res {
	type partial struct {
		st  state
		obj *fields
	}
	obj := &fields{typ: e.Type, vals: map[string]value{}, id: new(ident)}
	if e.Type != "" && !strings.HasPrefix(e.Type, "map[") && e.Type != "struct{}" {
		obj.cls = m.p.classNamed(fr.file, e.Type)
	}
	cur := []partial{{st, obj}}
	var thrown []res
	for _, f := range e.Fields {
		var step []partial
		for _, p := range cur {
			for _, r := range m.eval(p.st, fr, f.Value) {
				if r.thrown {
					thrown = append(thrown, r)
					continue
				}
				switch key := f.KeyText(); {
				case f.Key == nil: // a spread
					o := p.obj
					if r.v.k == object && !r.v.encoded {
						for _, k := range r.v.obj.keys {
							o = o.with(k, r.v.obj.vals[k])
						}
						if r.v.obj.open {
							o = o.with("", value{})
							o.keys = o.keys[:len(o.keys)-1]
							delete(o.vals, "")
							o.open = true
						}
					} else if r.v.k != null && r.v.k != undefined && r.v.k != boolean {
						o = loosen(value{k: object, obj: o}).obj // it may say otherwise about what stands before it
						c := *o
						c.soft = false
						c.vals = make(map[string]value, len(o.vals))
						for k, v := range o.vals {
							c.vals[k] = loosen(v)
						}
						o = &c
					}
					step = append(step, partial{r.st, o})
				case key != "" || f.Key.Kind == code.String:
					r.v.key = f.Key.Span
					step = append(step, partial{r.st, p.obj.with(wireName(p.obj.cls, key), r.v)})
				default:
					key := f.Key
					if key.Kind == code.Index && key.X == nil && len(key.Args) == 1 {
						key = key.Args[0]
					}
					if k := m.peek(r.st, fr, key); k.k == str && !k.encoded {
						r.v.key = f.Key.Span
						step = append(step, partial{r.st, p.obj.with(k.s, r.v)})
					} else {
						c := *p.obj
						c.open = true
						step = append(step, partial{r.st, &c})
					}
				}
			}
		}
		if len(step) > maxResult {
			m.over = true
			step = step[:maxResult]
		}
		cur = step
	}
	out := thrown
	for _, p := range cur {
		out = append(out, res{st: p.st, v: value{k: object, obj: p.obj, span: e.Span}})
	}
	return out
}

// wireName is the JSON name of a field of a class, where a tag or an alias gives one.
func wireName(c *code.Class, name string) string {
	if c != nil {
		for _, f := range c.Fields {
			if f.Name == name && f.JSON != "" && f.JSON != "-" {
				return f.JSON
			}
		}
	}
	return name
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + itoa(i%10)
}

func lastPart(name string) string {
	if i := strings.LastIndexAny(name, ".*/"); i >= 0 {
		return name[i+1:]
	}
	return name
}
