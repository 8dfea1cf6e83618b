package read

import "github.com/mcpaudit/mcpaudit"

// merge joins the ways that go on, where nothing that could become an answer tells them apart.
func (m *machine) merge(flows []flow) []flow {
	var out []flow
	for _, f := range flows {
		if f.kind != flowNext {
			out = append(out, f)
			continue
		}
		joined := false
		for i := range out {
			if out[i].kind == flowNext {
				if st, ok := join(out[i].st, f.st, len(flows) > maxFlows); ok {
					out[i].st, joined = st, true
					break
				}
			}
		}
		if !joined {
			out = append(out, f)
		}
	}
	if len(out) > 4*maxFlows {
		m.over = true
		out = out[:4*maxFlows]
	}
	return out
}

// join merges two states that differ only in variables whose difference cannot matter. force gives up the
// difference in any case.
func join(a, b state, force bool) (state, bool) {
	if a.emits != b.emits || a.hit != b.hit || a.open != b.open || a.gave != b.gave || a.waits != b.waits {
		return state{}, false
	}
	base := commonTail(a.env, b.env)
	names := map[string]bool{}
	for x := a.env; x != base; x = x.next {
		names[x.name] = true
	}
	for x := b.env; x != base; x = x.next {
		names[x.name] = true
	}
	env := a.env
	for name := range names {
		v, ok1 := a.env.lookup(name)
		w, ok2 := b.env.lookup(name)
		if ok1 == ok2 && same(v, w) {
			if e := either(v, w); e != v {
				env = env.set(name, e)
			}
			continue
		}
		if !force && (weighty(v) || weighty(w)) {
			return state{}, false
		}
		env = env.set(name, either(v, w))
	}
	st := a
	st.env = env
	for x := b.volatile; x != nil; x = x.next {
		if _, ok := st.volatile.lookup(x.name); !ok {
			st.volatile = st.volatile.set(x.name, value{})
		}
	}
	st.conds = commonConds(a.conds, b.conds)
	return st, true
}

// either is what is known of a value that is one of two.
func either(v, w value) value {
	if !same(v, w) {
		return value{present: v.present && w.present || known(v) && known(w)}
	}
	v.present = v.present && w.present
	v.failed = v.failed && w.failed
	v.method = v.method && w.method
	if v.call != w.call {
		v.call = ""
	}
	return v
}

// known reports whether a value is certainly neither null nor empty.
func known(v value) bool { return truth(v, "") == mcpaudit.Yes }

// weighty values may become an answer or decide one.
func weighty(v value) bool {
	return v.k != unknown && v.k != number && v.k != str || v.encoded || v.failed
}

func commonTail(a, b *binding) *binding {
	seen := map[*binding]bool{}
	for ; a != nil; a = a.next {
		seen[a] = true
	}
	for ; b != nil; b = b.next {
		if seen[b] {
			return b
		}
	}
	return nil
}

func commonConds(a, b *condition) *condition {
	seen := map[*condition]bool{}
	for ; a != nil; a = a.next {
		seen[a] = true
	}
	for ; b != nil; b = b.next {
		if seen[b] {
			return b
		}
	}
	return nil
}
