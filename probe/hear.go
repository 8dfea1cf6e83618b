package probe

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

// heard is what a record holds as the answer to one request.
type heard struct {
	match *message // the response with the id, in its type; nil: none
	times int      // how many of them
	near  *message // a response that was meant, but has another id
	echo  mcpaudit.IDEcho
	odd   string // what came although it is no message, in words
}

// hear looks for the answer to a request among everything that came. A response with another id is taken for a failed
// // answer, unless the same step asked something else under that id; requests and notifications of the server are something
// else.
func hear(rec *Record, id json.RawMessage) heard {
	h := heard{echo: mcpaudit.IDSame}
	others := requestIDs(rec)
	for _, frame := range rec.Received {
		for _, m := range parse(frame) {
			switch {
			case m.problem != "":
				if h.odd == "" {
					h.odd = m.problem
				}
			case !m.response():
			case m.hasID && sameID(m.id, id):
				h.times++
				if h.match == nil {
					h.match = &m
				}
			case h.near == nil && !slices.ContainsFunc(others, func(o json.RawMessage) bool { return m.hasID && sameID(m.id, o) }):
				h.near = &m
			}
		}
	}
	if len(rec.Unread) > 0 {
		h.odd = rec.Note
	}
	if h.match == nil && h.near != nil {
		h.echo = echoOf(h.near, id)
	}
	return h
}

func echoOf(m *message, id json.RawMessage) mcpaudit.IDEcho {
	switch {
	case !m.hasID:
		return mcpaudit.IDAbsent
	case jsonType(m.id) == "null":
		return mcpaudit.IDNull
	case jsonType(m.id) != jsonType(id) && textOf(m.id) == textOf(id):
		return mcpaudit.IDType
	}
	return mcpaudit.IDValue
}

// outcome reads the answer to one request off a record.
func outcome(trigger mcpaudit.Trigger, rec *Record, id json.RawMessage) mcpaudit.Outcome {
	o := mcpaudit.Outcome{Trigger: trigger, Confidence: mcpaudit.Certain}
	h := hear(rec, id)
	a := &mcpaudit.Answer{ID: h.echo, Times: h.times, Asked: 1, Took: rec.took()}
	o.Heard = a
	m := h.match
	if m == nil {
		m = h.near
	}
	switch {
	case rec.Status == 401 || rec.Status == 403:
		o.Channel, o.Why = mcpaudit.ChannelUndecided, map[int]string{401: "HTTP 401: the server wants credentials", 403: "HTTP 403: the server forbids it"}[rec.Status]
	case busy(rec.Status) && (m == nil || m.result == nil):
		o.Channel, o.Why = mcpaudit.ChannelUndecided, fmt.Sprintf("HTTP %d: the server or something in front of it is not available", rec.Status)
	case m != nil:
		body(&o, m)
	case rec.Exited != nil:
		o.Channel, o.Why = mcpaudit.ChannelCrash, "the server "+exitWords(*rec.Exited)
	case rec.Status >= 400:
		o.Channel, o.Text = mcpaudit.ChannelProtocolError, mcpaudit.Value{Text: fmt.Sprintf("HTTP %d", rec.Status), Known: true}
	case rec.Cut:
		o.Channel, o.Why = mcpaudit.ChannelUndecided, "the time of the whole probe was up"
	case rec.Control == "silent":
		o.Channel, o.Why = mcpaudit.ChannelUndecided, "the server answered nothing at all any more, not even another request"
	case rec.Note != "" && rec.Again == "" && rec.Control == "" && len(rec.Received) == 0:
		o.Channel, o.Why = mcpaudit.ChannelUndecided, rec.Note
	default:
		o.Channel, o.Why = mcpaudit.ChannelSilence, silenceWords(rec, h)
	}
	return o
}

// busy are the statuses that say something about load, not about the protocol.
func busy(status int) bool { return status == 429 || status == 502 || status == 503 || status == 504 }

func silenceWords(rec *Record, h heard) string {
	switch {
	case h.odd != "":
		return "what came is no message: " + h.odd
	case rec.Note != "":
		return rec.Note
	case rec.Status == 202:
		return "HTTP 202 without a body"
	case rec.Status == 200:
		return "HTTP 200 without a message"
	case rec.Control == "lost":
		return "after it the server answers nothing any more"
	}
	return ""
}

// body reads channel and shape of a response.
func body(o *mcpaudit.Outcome, m *message) {
	switch {
	case m.err != nil && m.result != nil:
		o.Channel, o.Body = mcpaudit.ChannelResult, mcpaudit.Shape{Kind: mcpaudit.ShapeBoth}
	case m.err != nil:
		o.Channel = mcpaudit.ChannelProtocolError
		var e struct {
			Code    json.RawMessage `json:"code"`
			Message string          `json:"message"`
		}
		if json.Unmarshal(m.err, &e) == nil {
			if jsonType(e.Code) == "number" {
				o.Code = mcpaudit.Value{Text: strings.TrimSpace(string(e.Code)), Known: true}
			}
			o.Text = mcpaudit.Value{Text: e.Message, Known: true}
		}
	default:
		o.Channel, o.Body = mcpaudit.ChannelResult, shape(m.result)
	}
}

func shape(raw json.RawMessage) mcpaudit.Shape {
	kinds := map[string]mcpaudit.ShapeKind{"": mcpaudit.ShapeAbsent, "object": mcpaudit.ShapeObject, "null": mcpaudit.ShapeNull,
		"string": mcpaudit.ShapeString, "number": mcpaudit.ShapeNumber, "boolean": mcpaudit.ShapeBool, "array": mcpaudit.ShapeArray}
	s := mcpaudit.Shape{Kind: kinds[jsonType(raw)], Text: string(cut(raw))}
	if s.Kind == mcpaudit.ShapeObject {
		s.Keys = keysInOrder(raw)
	}
	return s
}

// keysInOrder lists the members of an object as they stand there.
func keysInOrder(raw json.RawMessage) []string {
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	var keys []string
	for dec.More() {
		k, err := dec.Token()
		if err != nil {
			return keys
		}
		name, _ := k.(string)
		keys = append(keys, name)
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			return keys
		}
	}
	return keys
}
