package read

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

func allNothing(ws []way) bool {
	return len(ws) > 0 && !slices.ContainsFunc(ws, func(w way) bool { return !w.nothing })
}

// markLost names an empty result that the router returned and its caller did not send.
func markLost(wire, inner []way) {
	empty := func(w way) bool {
		return w.out.Channel == mcpaudit.ChannelResult && w.out.Body.Kind == mcpaudit.ShapeObject && len(w.out.Body.Keys) == 0 && !w.out.Body.Open
	}
	if len(inner) == 0 || slices.ContainsFunc(inner, func(w way) bool { return !empty(w) }) {
		return
	}
	for i := range wire {
		if o := &wire[i].out; o.Channel == mcpaudit.ChannelSilence || o.Channel == mcpaudit.ChannelResult && o.Body.Kind == mcpaudit.ShapeAbsent || o.Channel == mcpaudit.ChannelProtocolError && wire[i].st.hit {
			o.Channel = mcpaudit.ChannelResult
			o.Body = mcpaudit.Shape{Kind: mcpaudit.ShapeAbsent, Lost: "truthiness", Text: inner[0].out.Body.Text}
			o.Confidence = mcpaudit.Medium
		}
	}
}

// keepCodes gives an error of the caller the code that the router raised, where the caller only passes it on.
func keepCodes(wire, inner []way) {
	if len(inner) == 0 || !inner[0].out.Code.Known {
		return
	}
	for _, w := range inner {
		if w.out.Code != inner[0].out.Code {
			return
		}
	}
	for i := range wire {
		if o := &wire[i].out; o.Channel == mcpaudit.ChannelProtocolError && !o.Code.Known {
			o.Code = inner[0].out.Code
		}
	}
}

// unfinished turns what only a caller could tell into an undecided outcome.
func unfinished(ws []way, md mode) {
	for i := range ws {
		if ws[i].nothing && (md.bare || ws[i].kind == flowReturn && len(ws[i].vals) > 0) {
			ws[i].out.Channel = mcpaudit.ChannelUndecided
			ws[i].out.Why = "the function returns nothing for it, and the caller that would turn that into an answer was not found"
		}
	}
}

// uncalled turns a refusal without a JSON-RPC code into an undecided outcome, where nothing shows that the function
// sees every message: without a route for initialize it may only serve what an SDK leaves to it.
func uncalled(ws []way) {
	for i := range ws {
		if o := &ws[i].out; o.Channel == mcpaudit.ChannelProtocolError && !strings.HasPrefix(o.Code.Text, "-32") {
			o.Channel, o.Why = mcpaudit.ChannelUndecided, "the function serves some methods only, and the caller that serves the rest was not found"
		}
	}
}

// mistaken takes back that another method gets what initialize gets: no program does that, so the method was lost
// sight of on the way to the answer.
func mistaken(ws []way) {
	if !slices.ContainsFunc(ws, func(w way) bool {
		return w.out.Channel == mcpaudit.ChannelResult && slices.Contains(w.out.Body.Keys, "protocolVersion")
	}) {
		return
	}
	for i := range ws {
		ws[i].out = mcpaudit.Outcome{Trigger: ws[i].out.Trigger, Channel: mcpaudit.ChannelUndecided, Confidence: mcpaudit.Low,
			Why: "the method is lost sight of on the way to the answer"}
	}
}

// alike reports whether two methods are answered in the same ways.
func alike(a, b []way) bool {
	in := func(w way, list []way) bool {
		return slices.ContainsFunc(list, func(o way) bool {
			return o.out.Channel == w.out.Channel && o.out.Code == w.out.Code && o.out.Body.Kind == w.out.Body.Kind && o.out.Body.Lost == w.out.Body.Lost
		})
	}
	return !slices.ContainsFunc(a, func(w way) bool { return !in(w, b) }) && !slices.ContainsFunc(b, func(w way) bool { return !in(w, a) })
}

func disagree(ws []way) bool {
	return slices.ContainsFunc(ws, func(w way) bool { return w.out.Channel != ws[0].out.Channel })
}
