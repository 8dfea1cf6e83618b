package patterns

import (
	"fmt"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

func init() {
	register(&mcpaudit.Pattern{
		ID:       "ma-000304",
		Slug:     "mcp-liveness.concurrency.ping-during-call",
		Title:    "A ping is answered while a tool runs",
		Severity: mcpaudit.SeverityMedium,
		Eras:     []mcpaudit.Era{mcpaudit.Legacy, mcpaudit.Dual},
		Since:    "0.2.0",
		Refs:     []string{"https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping"},
		Faults: []mcpaudit.Fault{
			{Key: "late-pong", Title: "ping waits for the end of a tool call", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
		},
		Rule: mcpaudit.Rule{Router: duringCall},
	})
}

// tooLong is what a ping may wait while a tool runs, unless pings take as long without one. A pong that follows at once the
// result of a tool which ended just then proves nothing.
const tooLong = time.Second

// usual is what a ping takes while nothing else goes on; 0 where nobody has looked.
func usual(r *mcpaudit.Router) time.Duration {
	if o, asked := first(r, mcpaudit.TriggerPingSeries); asked {
		return o.Heard.Took
	}
	return 0
}

// duringCall judges a running server that was pinged while it ran a tool. No tool is called unless the user allows it.
func duringCall(p *mcpaudit.Pass, s *mcpaudit.Server, r *mcpaudit.Router) {
	if r.Form != mcpaudit.FormWire || r.Eras.Legacy != mcpaudit.Yes {
		return
	}
	c := mcpaudit.Check{
		Subject: mcpaudit.Subject{Server: s.Name, Kind: mcpaudit.KindMethod, Name: "ping", Router: r.Name},
		Era:     r.Eras.Era(), Confidence: mcpaudit.Certain,
	}
	o, asked := first(r, mcpaudit.TriggerPingDuringCall)
	switch {
	case !asked:
		c.Verdict, c.Reason, c.Message = mcpaudit.Undecided, mcpaudit.ReasonNotSeen, "no ping was sent while a tool ran: --allow-calls or --call TOOL tries it out, with a tool that takes its time"
		c.Evidence = []mcpaudit.Evidence{related(r.Evidence)}
	case o.Heard.Took > max(tooLong, 2*usual(r)) || o.Channel == mcpaudit.ChannelSilence:
		what := fmt.Sprintf("was answered after %s", round(o.Heard.Took))
		if o.Heard.Late {
			what += ", when the call was over"
		}
		if o.Channel == mcpaudit.ChannelSilence {
			what = "was not answered"
		}
		fail(&c, "late-pong", fmt.Sprintf("heard over %s: a ping that was sent while a tool ran %s; a client that checks liveness takes the server for dead while it works", r.Heard.Transport, what),
			mcpaudit.Certain, primary(o.Evidence))
		c.Examined = 1
		c.Hints = []string{"read messages in one place and run tools in another, with a lock around the writer"}
	case o.Channel == mcpaudit.ChannelResult:
		c.Verdict, c.Reason, c.Examined = mcpaudit.Passed, mcpaudit.ReasonHeard, 1
		c.Message = "a running server answered ping while a tool ran, in " + round(o.Heard.Took)
		c.Evidence = []mcpaudit.Evidence{related(o.Evidence)}
	default:
		c.Verdict, c.Reason, c.Message = mcpaudit.Undecided, mcpaudit.ReasonNotTest, "a ping that was sent while a tool ran got no result"
		c.Evidence = []mcpaudit.Evidence{related(o.Evidence)}
	}
	p.Report(c)
}
