package patterns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// heardPing judges what a running server did with pings. read is what the source says about the same server; the two
// meet in one subject. ok is false for a router that was not heard, and for the modern half of a server that was heard in
// both eras, which is the matter of another pattern.
func heardPing(s *mcpaudit.Server, r *mcpaudit.Router, read []mcpaudit.Check) (c mcpaudit.Check, ok bool) {
	if r.Form != mcpaudit.FormWire {
		return c, false
	}
	c = mcpaudit.Check{
		Subject: mcpaudit.Subject{Server: s.Name, Kind: mcpaudit.KindMethod, Name: "ping", Router: r.Name},
		Era:     r.Eras.Era(), Confidence: mcpaudit.Certain,
	}
	if c.Era == mcpaudit.Modern {
		both := func(o *mcpaudit.Router) bool { return o.Form == mcpaudit.FormWire && o.Eras.Legacy == mcpaudit.Yes }
		c.Verdict, c.Reason = mcpaudit.NotApplicable, mcpaudit.ReasonEra
		c.Message = "the server speaks revision 2026-07-28 only, which has no ping"
		c.Evidence = []mcpaudit.Evidence{related(r.Evidence)}
		return c, !slices.ContainsFunc(s.Routers, both)
	}
	if s.Eras.Modern == mcpaudit.Yes {
		c.Era = mcpaudit.Dual
	}
	h := hearing{check: &c, router: r}
	h.judge()
	c.Subject.Router = meet(c, read, r.Name)
	if i := slices.IndexFunc(read, func(o mcpaudit.Check) bool { return o.Subject.Router == c.Subject.Router }); i >= 0 {
		explain(&c, read[i], r)
	}
	return c, true
}

// meet finds the router in the source that a running server is judged together with: the only one; or, where there are
// several, the only one of which the source says the same.
func meet(c mcpaudit.Check, read []mcpaudit.Check, otherwise string) string {
	same := slices.DeleteFunc(slices.Clone(read), func(o mcpaudit.Check) bool { return o.Verdict == mcpaudit.NotApplicable })
	if len(same) > 1 {
		same = slices.DeleteFunc(same, func(o mcpaudit.Check) bool { return o.Verdict != c.Verdict })
	}
	if len(same) != 1 {
		return otherwise
	}
	return same[0].Subject.Router
}

// Causes are faults that only the source can show, and effects those that a client hears of them.
var (
	causes  = []string{"sibling", "removed", "overridden", "sdk-version", "body-lost"}
	effects = []string{"missing", "silent", "wrong-body", "extra-keys", "body-lost"}
)

// explain names what was heard by what was read about the same router. The source knows why ping is not answered; and a
// refusal before the handshake, which alone is no fault, bears out a gate that was read.
func explain(c *mcpaudit.Check, code mcpaudit.Check, r *mcpaudit.Router) {
	early, asked := first(r, mcpaudit.TriggerPingBeforeInit)
	switch {
	case slices.Contains(causes, code.Fault) && slices.Contains(effects, c.Fault):
		c.Fault, c.Message = code.Fault, code.Message
	case c.Fault == "gated-init" && code.Reason == mcpaudit.ReasonSDK:
		// The author cannot mend it but by another version of the SDK.
		msg := strings.TrimPrefix(c.Message, "heard over "+string(r.Heard.Transport)+": ")
		*c = mcpaudit.Check{Subject: c.Subject, Era: c.Era, Confidence: c.Confidence, Examined: c.Examined, Evidence: []mcpaudit.Evidence{related(r.Evidence)},
			Verdict: mcpaudit.Passed, Reason: mcpaudit.ReasonHeard, Message: "a running server answers ping, but for the SDK's own doing: " + msg}
	case c.Verdict == mcpaudit.Passed && code.Fault == "gated-init" && asked && early.Channel != mcpaudit.ChannelResult:
		examined := c.Examined
		fail(c, "gated-init", code.Message, mcpaudit.Certain, early.Evidence)
		c.Examined = examined
	}
}

// hearing weighs the answers of one running server, the plainest ping first: what is wrong there makes the rest
// meaningless.
type hearing struct {
	check  *mcpaudit.Check
	router *mcpaudit.Router
	notes  []string
}

func outcomes(r *mcpaudit.Router, trigger mcpaudit.Trigger) []mcpaudit.Outcome {
	var out []mcpaudit.Outcome
	rt := r.Route("ping")
	if rt == nil {
		return nil
	}
	for _, o := range rt.Outcomes {
		if o.Trigger == trigger {
			out = append(out, o)
		}
	}
	return out
}

func first(r *mcpaudit.Router, trigger mcpaudit.Trigger) (mcpaudit.Outcome, bool) {
	if outs := outcomes(r, trigger); len(outs) > 0 {
		return outs[0], true
	}
	return mcpaudit.Outcome{}, false
}

func (h *hearing) judge() {
	plain := outcomes(h.router, mcpaudit.TriggerPing)
	switch {
	case len(plain) == 0 && h.router.Heard.Unheard != "":
		h.unsure(h.router.Heard.Unheard, h.router.Evidence)
		return
	case len(plain) == 0:
		h.unsure("an ordinary ping was not among what was tried", h.router.Evidence)
		return
	case plain[0].Channel == mcpaudit.ChannelUndecided:
		h.unsure("ping cannot be judged: "+plain[0].Why, plain[0].Evidence)
		return
	}
	for _, part := range []func() bool{
		func() bool { return h.each(mcpaudit.TriggerPing, h.revision) },
		func() bool { return h.each(mcpaudit.TriggerPingAgain, h.again) },
		func() bool { return h.each(mcpaudit.TriggerPingID, h.id) },
		h.params,
		func() bool { return h.each(mcpaudit.TriggerPingBeside, h.beside) },
		h.duringInit,
		h.noID,
		h.series,
	} {
		if part() {
			return
		}
	}
	h.pass(plain)
}

// tried lists the faults that were tried out and not found: what the source says of them is refuted. A refusal of
// something that was never sent is not.
func (h *hearing) tried() []string {
	out := append(slices.Clone(causes), effects...)
	if len(outcomes(h.router, mcpaudit.TriggerPingParams)) > 0 {
		out = append(out, "params")
	}
	if o, asked := first(h.router, mcpaudit.TriggerPingBeforeInit); asked && o.Channel == mcpaudit.ChannelResult {
		out = append(out, "gated-init")
	}
	if o, asked := first(h.router, mcpaudit.TriggerPingSeries); asked && o.Channel == mcpaudit.ChannelResult {
		out = append(out, "slow")
	}
	return out
}

// each weighs all answers to one kind of ping. words says which ping it was.
func (h *hearing) each(trigger mcpaudit.Trigger, words func(mcpaudit.Outcome) string) bool {
	for i, o := range outcomes(h.router, trigger) {
		h.check.Examined++
		what := words(o)
		if trigger == mcpaudit.TriggerPing && i == 0 {
			what = ""
		}
		if h.weigh(o, what) {
			return true
		}
	}
	return false
}

func (h *hearing) revision(o mcpaudit.Outcome) string {
	return "after a handshake with revision " + o.Evidence.Exchange.Revision + ": "
}

func (h *hearing) again(o mcpaudit.Outcome) string {
	if o.Heard.Asked > 1 {
		return fmt.Sprintf("%d pings in a row: ", o.Heard.Asked)
	}
	return "the second ping: "
}

func (h *hearing) id(o mcpaudit.Outcome) string {
	return fmt.Sprintf("a ping with %s: ", sentID(o))
}

func (h *hearing) beside(mcpaudit.Outcome) string {
	return "a ping sent together with another request: "
}

// sentID names the id of a ping by what is special about it.
func sentID(o mcpaudit.Outcome) string {
	return map[string]string{
		"ping/string": "a string as its id", "ping/zero": "the id 0", "ping/negative": "a negative id",
		"ping/empty-id": "an empty string as its id", "ping/large": "the id 2^53-1",
	}[o.Evidence.Exchange.Scenario]
}

// weigh judges one answer and reports whether it is a fault.
func (h *hearing) weigh(o mcpaudit.Outcome, what string) bool {
	a := o.Heard
	v := weigh(o)
	fault, msg := v.fault, v.message
	switch {
	case v.unsure != "":
		h.notes = append(h.notes, what+v.unsure)
		return false
	case v.fault == "missing" && o.Evidence.Exchange.Scenario == "ping/one-write":
		// The ping may have been read before the handshake was over, and nobody has to answer it then.
		h.notes = append(h.notes, "in one write with initialize it is refused, which is allowed")
		return false
	case a.Lost > 0:
		fault, msg = "silent", fmt.Sprintf("%d got no answer", a.Lost)
	case a.Times > 1:
		fault, msg = "twice", fmt.Sprintf("a ping is answered %d times; a request has one answer", a.Times)
	case o.Channel == mcpaudit.ChannelResult && a.Times == 0 && a.ID != mcpaudit.IDSame:
		fault, msg = "wrong-id", "its answer "+echoWords(a.ID)+", so that no client takes it for the answer"
	case fault == "" && v.note != "":
		fault, msg = "meta-only", "its result holds _meta, which the schema allows; the official conformance suite wants no members at all"
	case fault == "":
		return false
	}
	h.fail(fault, what+msg, o)
	return true
}

// bareHTTP reports whether an error is a status only.
func bareHTTP(o mcpaudit.Outcome) bool {
	return !o.Code.Known && strings.HasPrefix(o.Text.Text, "HTTP ")
}

func echoWords(e mcpaudit.IDEcho) string {
	return map[mcpaudit.IDEcho]string{
		mcpaudit.IDType:   "carries the id as another JSON type",
		mcpaudit.IDValue:  "carries another id",
		mcpaudit.IDNull:   "carries the id null",
		mcpaudit.IDAbsent: "carries no id",
	}[e]
}

func (h *hearing) params() bool {
	for _, o := range outcomes(h.router, mcpaudit.TriggerPingParams) {
		h.check.Examined++
		v := weigh(o)
		switch {
		case v.unsure != "":
			h.notes = append(h.notes, v.unsure)
		case v.fault == "missing" || v.fault == "silent":
			h.fail("params", "ping with params, which every legacy revision allows, gets no result: "+v.message, o)
			return true
		default:
			if h.weigh(o, "a ping with params: ") {
				return true
			}
		}
	}
	return false
}

// duringInit: a server may keep the answer until the client is initialized, but neither refuse it nor leave.
func (h *hearing) duringInit() bool {
	o, asked := first(h.router, mcpaudit.TriggerPingDuringInit)
	if !asked {
		return false
	}
	h.check.Examined++
	switch {
	case o.Channel == mcpaudit.ChannelProtocolError && !bareHTTP(o):
		h.fail("gated-init", "ping is refused between initialize and notifications/initialized, when clients may already send it: "+errorWords(o), o)
		return true
	case o.Channel == mcpaudit.ChannelCrash:
		h.fail("gated-init", "a ping between initialize and notifications/initialized, when clients may already send it, ends the server: "+o.Why, o)
		return true
	case o.Channel != mcpaudit.ChannelResult:
		h.notes = append(h.notes, "between initialize and notifications/initialized it is not answered")
	}
	return false
}

func (h *hearing) noID() bool {
	for _, o := range h.router.Heard.Other {
		if o.Trigger != mcpaudit.TriggerPingNoID {
			continue
		}
		h.check.Examined++
		switch {
		case o.Channel == mcpaudit.ChannelCrash: // no client sends one
			h.notes = append(h.notes, "a ping without an id ends the server: "+o.Why)
		case o.Evidence.Exchange.Status >= 400: // HTTP lets a server refuse a notification, also in JSON
		case o.Heard.Times > 0:
			h.fail("notification", "a ping without an id is answered; it is a notification, and an answer to one breaks strict clients", o)
			return true
		}
	}
	return false
}

// series holds a warm server on this machine to its budget. What comes over a network says more about the network.
func (h *hearing) series() bool {
	o, asked := first(h.router, mcpaudit.TriggerPingSeries)
	if !asked || o.Channel != mcpaudit.ChannelResult {
		return false
	}
	h.check.Examined++
	a := o.Heard
	took := fmt.Sprintf("%s in the median of %d warm pings, another request %s", round(a.Took), a.Asked, round(a.Control))
	// Where everything takes as long, it is not ping that waits for something; a budget that was agreed on counts anyway.
	if !a.Local || a.Took <= a.Budget || !a.Agreed && 2*a.Control > a.Took {
		h.notes = append(h.notes, took)
		return false
	}
	fault, whose := "slow", ", and the AuditBuffet Pattern Catalog asks for "+round(a.Budget)
	if a.Agreed {
		fault, whose = "over-budget", ", more than the "+round(a.Budget)+" of --ping-budget"
	}
	h.fail(fault, "a ping takes "+took+whose, o)
	return true
}

// round writes a time in the unit in which people speak of pings.
func round(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 10:
		return strconv.FormatFloat(ms, 'f', 2, 64) + " ms"
	case ms < 1000:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	}
	return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
}

func (h *hearing) fail(fault, msg string, o mcpaudit.Outcome) {
	examined := h.check.Examined
	fail(h.check, fault, "heard over "+string(h.router.Heard.Transport)+": "+msg, mcpaudit.Certain, o.Evidence)
	h.check.Examined = examined
	h.check.Hints = heardHints(fault)
}

func heardHints(fault string) []string {
	switch fault {
	case "wrong-id":
		return []string{"send the id back as it came: keep it as raw JSON, and do not test it for truth"}
	case "params":
		return []string{"ignore the params of ping"}
	case "gated-init":
		return []string{"answer ping whatever the state of the handshake"}
	case "notification":
		return []string{"answer nothing that has no id"}
	case "twice":
		return []string{"look for a second place that answers, such as a default behind the route"}
	case "slow", "over-budget":
		return []string{"answer at once; report the health of other systems elsewhere"}
	}
	return hintFor(fault)
}

func (h *hearing) unsure(why string, ev mcpaudit.Evidence) {
	c := h.check
	c.Verdict, c.Reason, c.Message = mcpaudit.Undecided, mcpaudit.ReasonNotTest, why
	c.Evidence = append(c.Evidence, related(ev))
}

func (h *hearing) pass(plain []mcpaudit.Outcome) {
	var revs []string
	for _, o := range plain {
		if rev := o.Evidence.Exchange.Revision; rev != "" && !slices.Contains(revs, rev) {
			revs = append(revs, rev)
		}
	}
	slices.Sort(revs)
	msg := fmt.Sprintf("a running server answered ping with {} over %s", h.router.Heard.Transport)
	if len(revs) > 0 {
		msg += " (" + strings.Join(revs, ", ") + ")"
	}
	if o, asked := first(h.router, mcpaudit.TriggerPingBeforeInit); asked && o.Channel != mcpaudit.ChannelResult {
		h.notes = append(h.notes, "before initialize it is not, which is allowed")
	}
	for _, n := range h.notes {
		msg += "; " + n
	}
	c := h.check
	c.Verdict, c.Reason, c.Message, c.Refuted = mcpaudit.Passed, mcpaudit.ReasonHeard, msg, h.tried()
	c.Evidence = append(c.Evidence, related(plain[0].Evidence))
}
