package read

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
			continue
		}
		if !force && (weighty(v) || weighty(w)) {
			return state{}, false
		}
		env = env.set(name, value{})
	}
	st := a
	st.env = env
	st.conds = commonConds(a.conds, b.conds)
	return st, true
}

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
