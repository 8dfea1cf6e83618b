package patterns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

func init() {
	register(&mcpaudit.Pattern{
		ID:       "ab-001839",
		Slug:     "mcp-server.transport-protocol.ping-support",
		Title:    "Responds to ping requests",
		Severity: mcpaudit.SeverityLow,
		Eras:     []mcpaudit.Era{mcpaudit.Legacy, mcpaudit.Dual},
		Since:    "0.1.0",
		Refs: []string{
			"https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping",
			"https://auditbuffet.com/patterns/ab-001839",
		},
		Faults: []mcpaudit.Fault{
			{Key: "missing", Title: "ping gets an error", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "silent", Title: "ping gets no answer", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "sibling", Title: "one router answers ping, its twin does not", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "wrong-body", Title: "the result is not an object", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "body-lost", Title: "the empty object does not survive encoding", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "extra-keys", Title: "the result has members of its own", Persona: mcpaudit.Regular, Strength: mcpaudit.Should},
			{Key: "gated-init", Title: "ping is refused before initialization", Persona: mcpaudit.Regular, Strength: mcpaudit.Should},
			{Key: "params", Title: "ping with params is refused", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "removed", Title: "the SDK's handler is removed", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "overridden", Title: "the SDK's handler is replaced by a wrong one", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "sdk-version", Title: "this version of the SDK answers ping wrongly", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "wrong-id", Title: "the answer carries another id", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "twice", Title: "ping is answered more than once", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "notification", Title: "a ping without an id is answered", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "over-budget", Title: "ping takes longer than the user allows", Persona: mcpaudit.Regular, Strength: mcpaudit.Should},
			{Key: "meta-only", Title: "the result holds _meta", Persona: mcpaudit.Pedantic, Strength: mcpaudit.Wish},
			{Key: "slow", Title: "ping waits for something else", Persona: mcpaudit.Pedantic, Strength: mcpaudit.Should},
			{Key: "gated-auth", Title: "an allow-list of methods omits ping", Persona: mcpaudit.Pedantic, Strength: mcpaudit.Should},
			{Key: "decoy", Title: "a tool is called ping, the method is missing", Persona: mcpaudit.Pedantic, Strength: mcpaudit.Wish},
		},
		Rule: mcpaudit.Rule{Server: ping},
	})
}

// ping judges every router of a server by itself: each is reached by its own transport or revision. It needs the
// whole server only to see that routers disagree, and which tools there are.
func ping(p *mcpaudit.Pass, s *mcpaudit.Server) {
	unanswered := false
	var read []mcpaudit.Check
	for _, r := range s.Routers {
		if r.Form == mcpaudit.FormWire {
			continue
		}
		c := mcpaudit.Check{
			Subject: mcpaudit.Subject{Server: s.Name, Kind: mcpaudit.KindMethod, Name: "ping", Router: r.Name},
			Era:     r.Eras.Era(), Examined: 1, Confidence: mcpaudit.High,
		}
		switch {
		case c.Era == mcpaudit.Modern:
			c.Verdict, c.Reason = mcpaudit.NotApplicable, mcpaudit.ReasonEra
			c.Message = "the server speaks revision 2026-07-28 only, which has no ping"
			c.Examined = 0
			c.Evidence = append(c.Evidence, r.Eras.Evidence...)
		case r.Owner == mcpaudit.SDK:
			c.Subject.Router = ""
			sdkPing(&c, s, r)
		default:
			authorPing(&c, s, r)
		}
		unanswered = unanswered || unansweredBy(c)
		read = append(read, c)
		p.Report(c)
	}
	for _, r := range s.Routers {
		if c, ok := heardPing(s, r, read); ok {
			unanswered = unanswered || unansweredBy(c)
			p.Report(c)
		}
	}
	if i := slices.IndexFunc(s.Tools, func(t mcpaudit.Tool) bool { return t.Name == "ping" }); i >= 0 && unanswered {
		ev := s.Tools[i].Evidence
		ev.Role = mcpaudit.Primary
		p.Report(mcpaudit.Check{
			Subject: mcpaudit.Subject{Server: s.Name, Kind: mcpaudit.KindTool, Name: "ping"},
			Verdict: mcpaudit.Failed, Reason: mcpaudit.ReasonFault, Fault: "decoy", Era: s.Eras.Era(), Examined: 1,
			Message:  "this is a tool called ping; no client calls it to check liveness, and the method ping is not answered",
			Evidence: []mcpaudit.Evidence{ev},
		})
	}
}

func unansweredBy(c mcpaudit.Check) bool {
	return c.Fault == "missing" || c.Fault == "silent" || c.Fault == "sibling" || c.Fault == "removed"
}

// verdict is what a set of outcomes amounts to.
type verdict struct {
	fault   string // "" if ping is answered
	unsure  string // why nothing can be said; wins over fault
	message string
	outcome mcpaudit.Outcome // the one that decides
	note    string
}

// judge weighs all ways in which a ping may end. A fault needs every way to be faulty: where one of them answers,
// the others are taken for the handling of broken messages.
func judge(outs []mcpaudit.Outcome) verdict {
	var bad []verdict
	answered := false
	note := ""
	for _, o := range outs {
		if o.Trigger == mcpaudit.TriggerPingParams {
			continue
		}
		v := weigh(o)
		switch {
		case v.unsure != "":
			return v
		case v.fault == "":
			answered, note = true, v.note
		default:
			bad = append(bad, v)
		}
	}
	if answered || len(bad) == 0 {
		if !answered {
			return verdict{unsure: "no way through the code was found that a ping could take"}
		}
		return verdict{note: note}
	}
	// A wrong result is worth more than the refusal beside it; an error more than silence.
	rank := []string{"extra-keys", "wrong-body", "body-lost", "missing", "silent"}
	slices.SortStableFunc(bad, func(a, b verdict) int { return slices.Index(rank, a.fault) - slices.Index(rank, b.fault) })
	return bad[0]
}

func weigh(o mcpaudit.Outcome) verdict {
	v := verdict{outcome: o}
	switch o.Channel {
	case mcpaudit.ChannelProtocolError:
		v.fault, v.message = "missing", errorWords(o)
	case mcpaudit.ChannelSilence:
		v.fault, v.message = "silent", "no JSON-RPC answer is sent, so that a client that checks liveness takes the server for dead"
		if o.Why != "" {
			v.message += " (" + o.Why + ")"
		}
	case mcpaudit.ChannelCrash:
		v.fault, v.message = "missing", "the server crashes"
		if o.Why != "" {
			v.message = "it ends the server: " + o.Why
		}
	case mcpaudit.ChannelForwarded:
		v.unsure = "it is forwarded to another server"
		if o.Why != "" {
			v.unsure = o.Why
		}
	case mcpaudit.ChannelUndecided:
		v.unsure = o.Why
	case mcpaudit.ChannelResult:
		weighBody(&v, o.Body)
	}
	return v
}

func weighBody(v *verdict, b mcpaudit.Shape) {
	extra := slices.DeleteFunc(slices.Clone(b.Keys), func(k string) bool { return k == "_meta" })
	switch b.Kind {
	case mcpaudit.ShapeObject:
		switch {
		case len(extra) > 0:
			v.fault = "extra-keys"
			v.message = fmt.Sprintf("its result has the members %s; it must be an empty object, and TypeScript clients refuse anything else", quoteList(extra))
		case b.Open:
			v.unsure = "its result is an object whose members cannot be followed"
		case len(b.Keys) > 0:
			v.note = "the result holds _meta only"
		}
	case mcpaudit.ShapeUnknown:
		v.unsure = "its result is a value that cannot be followed"
	case mcpaudit.ShapeAbsent:
		v.fault = "body-lost"
		v.message = map[string]string{
			"omitempty":  "its empty result is dropped by omitempty, so that the response has no result at all",
			"omitzero":   "its empty result is dropped by omitzero, so that the response has no result at all",
			"truthiness": "its empty result counts as false on the way out and is not sent",
			"undefined":  "its result is undefined, which JSON drops, so that the response has no result at all",
		}[b.Lost]
		if v.message == "" {
			v.message = "the response has no result at all"
		}
	default:
		v.fault = "wrong-body"
		what := string(b.Kind)
		if b.Kind == mcpaudit.ShapeBoth {
			v.message = "its response has both a result and an error, which contradict each other"
			return
		}
		if b.Kind == mcpaudit.ShapeString && b.Text != "" {
			what = "the string " + b.Text
		} else if b.Kind == mcpaudit.ShapeArray {
			what = "an array"
		} else if b.Kind == mcpaudit.ShapeNumber || b.Kind == mcpaudit.ShapeBool || b.Kind == mcpaudit.ShapeString {
			what = "a " + what
		}
		v.message = fmt.Sprintf("its result is %s; it must be an empty object, and clients drop the response or wait for their timeout", what)
	}
}

func errorWords(o mcpaudit.Outcome) string {
	what := "an error"
	switch {
	case o.Code.Known:
		what = "error " + o.Code.Text
	case strings.HasPrefix(o.Text.Text, "HTTP "):
		what = o.Text.Text + " without a JSON-RPC answer"
	}
	return fmt.Sprintf("a client that checks liveness gets %s and may drop the connection", what)
}

// authorPing judges a router of the author's own.
func authorPing(c *mcpaudit.Check, s *mcpaudit.Server, r *mcpaudit.Router) {
	route := r.Route("ping")
	outs := r.Default
	if route != nil {
		outs = route.Outcomes
	}
	v := judge(outs)
	switch {
	case route == nil && !r.Complete:
		undecided(c, mcpaudit.ReasonDynamic, r, "ping has no route that can be seen, and "+r.Incomplete)
	case v.unsure != "" && route == nil:
		undecided(c, mcpaudit.ReasonUnresolved, r, "ping has no route of its own, and for a method without one "+v.unsure)
	case v.unsure != "":
		undecided(c, mcpaudit.ReasonUnresolved, r, "ping has a route, but "+v.unsure)
	case v.fault != "" && route == nil:
		missing(c, s, r, v)
	case v.fault != "":
		fail(c, v.fault, "ping is told apart here, but "+v.message, v.outcome.Confidence, primary(route.Evidence), v.outcome.Evidence, related(r.Evidence))
		c.Hints = hintFor(v.fault)
		if v.fault == "missing" || v.fault == "silent" {
			c.Hints = []string{"let the route for ping succeed with the result {}"}
		}
	case route == nil:
		pass(c, r, "a method without a route gets {}, and so does ping")
	default:
		routed(c, r, route, v)
	}
}

// routed judges what stands around a ping route whose answer is right.
func routed(c *mcpaudit.Check, r *mcpaudit.Router, route *mcpaudit.Route, v verdict) {
	for _, o := range route.Outcomes {
		if o.Trigger == mcpaudit.TriggerPingParams && o.Channel == mcpaudit.ChannelProtocolError {
			fail(c, "params", "ping is refused when it has params such as {\"_meta\": {}}, which every legacy revision allows", o.Confidence,
				primary(route.Evidence), o.Evidence)
			c.Hints = []string{"ignore the params of ping"}
			return
		}
	}
	for _, kind := range []mcpaudit.GateKind{mcpaudit.GateInit, mcpaudit.GateAuth} {
		for _, g := range route.Gates {
			if g.Kind != kind {
				continue
			}
			if kind == mcpaudit.GateInit {
				fail(c, "gated-init", "ping is refused before initialization is complete, when clients may already send it", mcpaudit.Medium,
					primary(g.Evidence), g.Refusal.Evidence, related(route.Evidence))
				c.Hints = []string{`exempt it: && method !== "ping", in the spelling of this language`}
			} else {
				fail(c, "gated-auth", "a list of methods that need no login leaves ping out", mcpaudit.Medium,
					primary(g.Evidence), g.Refusal.Evidence, related(route.Evidence))
				c.Hints = []string{"let ping through beside initialize"}
			}
			return
		}
	}
	if len(route.Waits) > 0 {
		w := route.Waits[0]
		fail(c, "slow", fmt.Sprintf("ping waits for something before it answers (%s); it must be answered promptly", w.Kind), mcpaudit.Medium,
			primary(w.Evidence), related(route.Evidence))
		c.Hints = []string{"answer at once; report the health of other systems elsewhere"}
		return
	}
	msg := "the author's own router answers ping with {}"
	if v.note != "" {
		msg += "; " + v.note
	}
	pass(c, r, msg)
	c.Evidence = append(c.Evidence, related(route.Evidence))
}

// missing reports a router without a route for ping.
func missing(c *mcpaudit.Check, s *mcpaudit.Server, r *mcpaudit.Router, v verdict) {
	fault, msg := v.fault, ""
	conf := v.outcome.Confidence
	if !slices.ContainsFunc(s.Routers, func(o *mcpaudit.Router) bool { return o.Route("initialize") != nil }) {
		// No client gets as far as ping where nothing is seen to answer its first request: this may be an inner router,
		// and if it knows no tools either, it is one.
		if r.Route("tools/list") == nil && r.Route("tools/call") == nil {
			undecided(c, mcpaudit.ReasonUnresolved, r, "ping has no route here, nor have initialize and tools: what stands before this router was not found")
			return
		}
		conf = min(conf, mcpaudit.Medium)
	}
	switch v.fault {
	case "missing", "silent":
		msg = "ping has no route here; " + v.message
		if twin, ok := answering(s, r); ok {
			fault = "sibling"
			msg = fmt.Sprintf("ping has no route here, although %s answers it; %s", twin.Name, v.message)
			fail(c, fault, msg, conf, primary(r.Evidence), v.outcome.Evidence, related(twin.Route("ping").Evidence))
			c.Hints = hintFor("missing")
			return
		}
	default:
		msg = "ping has no route here and gets what every unknown method gets: " + v.message
	}
	fail(c, fault, msg, conf, primary(r.Evidence), v.outcome.Evidence)
	c.Hints = hintFor("missing")
}

// answering finds another router of the server that answers ping.
func answering(s *mcpaudit.Server, r *mcpaudit.Router) (*mcpaudit.Router, bool) {
	for _, o := range s.Routers {
		if o == r || o.Owner != mcpaudit.Author || o.Form == mcpaudit.FormWire || o.Eras.Era() == mcpaudit.Modern {
			continue
		}
		if route := o.Route("ping"); route != nil {
			if v := judge(route.Outcomes); v.unsure == "" && v.fault == "" {
				return o, true
			}
		}
	}
	return nil, false
}

// sdkPing judges what is left of the answer that the SDK brings along.
func sdkPing(c *mcpaudit.Check, s *mcpaudit.Server, r *mcpaudit.Router) {
	name := "the SDK"
	if s.SDK != nil {
		if name = s.SDK.Name; s.SDK.Version != "" {
			name += " " + s.SDK.Version
		}
	}
	route := r.Route("ping")
	if route == nil {
		undecided(c, mcpaudit.ReasonUnresolved, r, fmt.Sprintf("it is not known who answers ping in %s", name))
		return
	}
	v := judge(route.Outcomes)
	sdk := func(msg string) {
		c.Verdict, c.Reason, c.Message = mcpaudit.Passed, mcpaudit.ReasonSDK, msg
		c.Evidence = append(c.Evidence, related(r.Evidence))
	}
	switch route.Change {
	case mcpaudit.Builtin:
		switch {
		case v.unsure != "":
			undecided(c, mcpaudit.ReasonUnresolved, r, fmt.Sprintf("%s: %s", name, v.unsure))
		case v.fault != "":
			ev := route.Evidence
			if s.SDK != nil && s.SDK.Evidence != nil {
				ev = *s.SDK.Evidence
			}
			fail(c, "sdk-version", fmt.Sprintf("%s does not answer ping rightly by itself: %s", name, v.message), mcpaudit.High, primary(ev), related(r.Evidence))
			if route.Since != "" {
				c.Hints = append(c.Hints, route.Since)
			}
		default:
			msg := fmt.Sprintf("%s answers ping itself", name)
			if route.Since != "" {
				msg += " " + route.Since
			}
			sdk(msg + "; no override found")
		}
	case mcpaudit.NoEffect:
		sdk(fmt.Sprintf("%s answers ping itself; the handler registered here has no effect", name))
		c.Evidence = append(c.Evidence, related(route.Evidence))
	case mcpaudit.Removed:
		fail(c, "removed", fmt.Sprintf("the handler for ping that %s brings along is removed here, so that %s", name, errorWords(mcpaudit.Outcome{Code: mcpaudit.Value{Text: "-32601", Known: true}})), mcpaudit.High,
			primary(route.Evidence), related(r.Evidence))
		c.Hints = []string{"delete this line"}
	case mcpaudit.Rejected:
		fail(c, "overridden", fmt.Sprintf("%s refuses this registration for ping: %s", name, route.Since), mcpaudit.High, primary(route.Evidence), related(r.Evidence))
		c.Hints = []string{"delete the registration: the SDK answers ping by itself"}
	default: // Replaced, Wrapped, Added
		changed(c, r, route, v, name)
	}
}

// changed judges a handler that the author put in the place of the SDK's.
func changed(c *mcpaudit.Check, r *mcpaudit.Router, route *mcpaudit.Route, v verdict, name string) {
	switch {
	case v.unsure != "":
		undecided(c, mcpaudit.ReasonUnresolved, r, fmt.Sprintf("the author replaces the handler for ping of %s, and %s", name, v.unsure))
		c.Evidence = append(c.Evidence, related(route.Evidence))
	case v.fault != "":
		fail(c, "overridden", fmt.Sprintf("the handler for ping that %s brings along is replaced here, and %s", name, v.message), v.outcome.Confidence,
			primary(route.Evidence), v.outcome.Evidence, related(r.Evidence))
		c.Hints = []string{"delete the handler: the SDK answers ping by itself"}
	case len(route.Waits) > 0:
		w := route.Waits[0]
		fail(c, "slow", fmt.Sprintf("the handler for ping waits for something before it answers (%s)", w.Kind), mcpaudit.Medium, primary(w.Evidence), related(route.Evidence))
		c.Hints = []string{"delete the handler: the SDK answers ping by itself"}
	case route.Change == mcpaudit.Wrapped:
		c.Verdict, c.Reason = mcpaudit.Passed, mcpaudit.ReasonSDK
		c.Message = fmt.Sprintf("%s answers ping; the author's code only wraps it", name)
		c.Evidence = append(c.Evidence, related(route.Evidence))
	default:
		pass(c, r, fmt.Sprintf("the author's own handler answers ping with {}; the one of %s would do the same", name))
		c.Evidence = append(c.Evidence, related(route.Evidence))
	}
}

func pass(c *mcpaudit.Check, r *mcpaudit.Router, msg string) {
	c.Verdict, c.Reason, c.Message = mcpaudit.Passed, mcpaudit.ReasonOwnCode, msg
	c.Evidence = append(c.Evidence, related(r.Evidence))
}

func undecided(c *mcpaudit.Check, reason string, r *mcpaudit.Router, msg string) {
	c.Verdict, c.Reason, c.Message = mcpaudit.Undecided, reason, msg
	c.Evidence = append(c.Evidence, related(r.Evidence))
}

func fail(c *mcpaudit.Check, fault, msg string, conf mcpaudit.Confidence, ev ...mcpaudit.Evidence) {
	c.Verdict, c.Reason, c.Fault, c.Message = mcpaudit.Failed, mcpaudit.ReasonFault, fault, msg
	c.Confidence = conf
	for _, e := range ev {
		if e.Span != nil || e.Exchange != nil {
			c.Evidence = append(c.Evidence, e)
		}
	}
}

func primary(e mcpaudit.Evidence) mcpaudit.Evidence { e.Role = mcpaudit.Primary; return e }
func related(e mcpaudit.Evidence) mcpaudit.Evidence { e.Role = mcpaudit.Related; return e }

func hintFor(fault string) []string {
	switch fault {
	case "missing", "silent":
		return []string{`add a route for "ping" in the style of the others, with an empty object as its result: {}`}
	case "body-lost":
		return []string{"send the empty object whatever it is: drop the omit option, or test for absence instead of truth"}
	}
	return []string{"return an empty object: {}"}
}

func quoteList(keys []string) string {
	if len(keys) > 4 {
		keys = append(slices.Clone(keys[:4]), "...")
	}
	return strings.Join(keys, ", ")
}
