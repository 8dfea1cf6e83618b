package patterns

import (
	"fmt"
	"slices"

	"github.com/mcpaudit/mcpaudit"
)

func init() {
	register(&mcpaudit.Pattern{
		ID:       "ma-000201",
		Slug:     "mcp-server.eras.ping-on-modern-path",
		Title:    "No ping on the modern path",
		Severity: mcpaudit.SeverityLow,
		Eras:     []mcpaudit.Era{mcpaudit.Modern, mcpaudit.Dual},
		Since:    "0.2.0",
		Refs: []string{
			"https://modelcontextprotocol.io/specification/2026-07-28/changelog",
			"https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http",
		},
		Faults: []mcpaudit.Fault{
			{Key: "answers", Title: "ping gets a result on the modern path", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
			{Key: "same-arm", Title: "one arm serves both eras", Persona: mcpaudit.Pedantic, Strength: mcpaudit.Wish},
			{Key: "status", Title: "the refusal has another status than 404", Persona: mcpaudit.Regular, Strength: mcpaudit.Wish},
		},
		Rule: mcpaudit.Rule{Router: modernPing},
	})
}

// refusals are the errors with which the revision lets a server refuse: the method does not exist, or something else about
// the request displeases it first.
var refusals = []string{"-32601", "-32602", "-32020", "-32022"}

// modernPing judges the modern half of a running server. What source code says of it is not read yet, so that servers
// which were only read have no verdict here.
func modernPing(p *mcpaudit.Pass, s *mcpaudit.Server, r *mcpaudit.Router) {
	if r.Form != mcpaudit.FormWire || r.Eras.Modern != mcpaudit.Yes {
		return
	}
	c := mcpaudit.Check{
		Subject: mcpaudit.Subject{Server: s.Name, Kind: mcpaudit.KindMethod, Name: "ping", Router: r.Name},
		Era:     s.Eras.Era(), Confidence: mcpaudit.Certain, Examined: 1,
	}
	o, asked := first(r, mcpaudit.TriggerPingModern)
	switch {
	case !asked:
		c.Examined = 0
		c.Verdict, c.Reason, c.Message = mcpaudit.Undecided, mcpaudit.ReasonNotTest, "no ping was sent on the modern path"
		c.Evidence = []mcpaudit.Evidence{related(r.Evidence)}
	case o.Channel == mcpaudit.ChannelResult && c.Era == mcpaudit.Dual && r.Heard.Transport == "stdio":
		// No rule binds a server of both eras here, where there is no status to be wrong: it harms nobody.
		fail(&c, "same-arm", "heard over stdio: a ping with the envelope of revision 2026-07-28 is answered as one of a legacy client is; that revision has no ping, but nobody is harmed",
			mcpaudit.Certain, primary(o.Evidence))
		c.Hints = []string{"tell the eras apart before methods are told apart; keep ping for legacy clients in any case"}
	case o.Channel == mcpaudit.ChannelResult:
		fail(&c, "answers", "heard over "+string(r.Heard.Transport)+": a ping with the envelope of revision 2026-07-28 gets a result; that revision has no ping, and the answer is error -32601",
			mcpaudit.Certain, primary(o.Evidence))
		c.Hints = []string{"tell the eras apart before methods are told apart, and keep ping for legacy clients"}
	case o.Channel != mcpaudit.ChannelProtocolError:
		c.Verdict, c.Reason = mcpaudit.Undecided, mcpaudit.ReasonNotTest
		c.Message = "a ping on the modern path gets no answer"
		if o.Why != "" {
			c.Message += ": " + o.Why
		}
		c.Evidence = []mcpaudit.Evidence{related(o.Evidence)}
	case !slices.Contains(refusals, o.Code.Text) && o.Evidence.Exchange.Status != 404:
		c.Verdict, c.Reason = mcpaudit.Undecided, mcpaudit.ReasonUnresolved
		c.Message = "a ping on the modern path gets neither a result nor a refusal that the revision knows"
		c.Evidence = []mcpaudit.Evidence{related(o.Evidence)}
	case o.Code.Text == "-32601" && r.Heard.Transport == "streamable-http" && o.Evidence.Exchange.Status != 404:
		fail(&c, "status", fmt.Sprintf("heard over %s: a ping on the modern path is refused with HTTP %d; a method that does not exist is HTTP 404", r.Heard.Transport, o.Evidence.Exchange.Status),
			mcpaudit.Certain, primary(o.Evidence))
		c.Hints = []string{"send error -32601 with status 404 on the modern path"}
	default:
		c.Verdict, c.Reason = mcpaudit.Passed, mcpaudit.ReasonHeard
		c.Message = "a running server refuses ping on the modern path"
		if o.Code.Known {
			c.Message += " with error " + o.Code.Text
		}
		c.Evidence = []mcpaudit.Evidence{related(o.Evidence)}
	}
	p.Report(c)
}
