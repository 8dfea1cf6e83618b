package mcptest

import "time"

// Behaviour is one way in which a server can be broken or, where Expect is "pass", be odd.
type Behaviour struct {
	Name  string
	About string
	// The transports that it makes sense for: Streamable HTTP is HTTP, the one of 2024-11-05 is SSE.
	Stdio, HTTP, SSE bool
	// Expect is what a prober has to say of ping, or of the pattern that is named:
	//
	//	pass                   ping is answered as it should be; what else is wrong is the matter of other patterns
	//	fail:missing           ping is refused, or ends the server
	//	fail:silent            no answer that a client could read
	//	fail:wrong-body        the result is no object, or stands beside an error
	//	fail:extra-keys        the result has members other than _meta
	//	fail:meta-only         the result has _meta only, which the schema allows and the conformance suite does not (pedantic)
	//	fail:body-lost         the response has no result
	//	fail:wrong-id          the response carries another id, or none
	//	fail:params            ping is answered, but not with params
	//	fail:twice             ping is answered twice
	//	fail:notification      a ping without an id is answered
	//	fail:gated-init        ping is refused between the answer to initialize and notifications/initialized
	//	fail:slow              the answer takes longer than a warm server on this machine needs
	//	incomplete             it cannot be judged: there is no conversation with the server
	//	ma-000201/answers      ping is served in the modern era
	//	ma-000201/status       it is refused there with a status other than 404
	//	ma-000304/late-pong    ping waits for a call that is running
	Expect string
	// Args are flags that a test has to give beside the name, so that it need not wait for as long as a person would.
	Args []string
}

// behaviour is what only this package has to know of one.
type behaviour struct {
	Behaviour
	slots []string      // of two behaviours with a slot in common, one would undo the other
	era   string        // the only era that it makes sense in; "" is any
	late  time.Duration // the default of --late
	needs need
}

// need is what a behaviour takes for granted.
type need int

const (
	needsStream  need = 1 << iota // several messages in one answer, which --json cannot carry
	needsSession                  // a memory, which --stateless takes away
)

// Behaviours lists every named behaviour, by name.
func Behaviours() []Behaviour {
	var out []Behaviour
	for _, b := range table {
		out = append(out, b.Behaviour)
	}
	return out
}

func find(name string) *behaviour {
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	return nil
}

// What excludes what.
const (
	slotPong  = "answer to ping"
	slotID    = "id of the answer"
	slotTime  = "time of the answer"
	slotBytes = "bytes of the answer"
	slotFrame = "framing"
	slotInit  = "answer to initialize"
	slotFront = "answer to everything"
	slotLife  = "life of the process"
	slotExtra = "messages beside the answer"
)

// at makes a row of the table. where says over which transports the behaviour can be had.
func at(where, name, expect, about string, more ...func(*behaviour)) behaviour {
	b := behaviour{Behaviour: Behaviour{Name: name, About: about, Expect: expect}}
	for _, w := range where {
		switch w {
		case 'i':
			b.Stdio = true
		case 'h':
			b.HTTP = true
		case 's':
			b.SSE = true
		}
	}
	for _, f := range more {
		f(&b)
	}
	return b
}

func slot(name string) func(*behaviour) {
	return func(b *behaviour) { b.slots = append(b.slots, name) }
}

func in(era string) func(*behaviour)        { return func(b *behaviour) { b.era = era } }
func late(d time.Duration) func(*behaviour) { return func(b *behaviour) { b.late = d } }
func wants(n need) func(*behaviour)         { return func(b *behaviour) { b.needs |= n } }
func args(words ...string) func(*behaviour) { return func(b *behaviour) { b.Args = words } }
