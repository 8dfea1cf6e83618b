package probe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpaudit/mcpaudit"
)

// Record is one step of a conversation: what was sent and everything that was heard until the step was over. A
// transcript is one record a line, in JSON. The bytes are those of the wire; secrets are taken out when a record leaves
// the prober.
type Record struct {
	Target    string             `json:"target,omitempty"`
	Conn      int                `json:"conn,omitempty"` // connections are numbered from 1
	Scenario  string             `json:"scenario"`
	Transport mcpaudit.Transport `json:"transport,omitempty"`
	Revision  mcpaudit.Revision  `json:"revision,omitempty"` // agreed on when the step began
	Sent      []Bytes            `json:"sent,omitempty"`
	Received  []Bytes            `json:"received,omitempty"`
	Unread    []Bytes            `json:"unread,omitempty"`  // what came in a form that no client reads; Note says why
	Status    int                `json:"status,omitempty"`  // HTTP
	Header    http.Header        `json:"header,omitempty"`  // HTTP: those of the answer that matter here
	EventID   string             `json:"eventId,omitempty"` // HTTP: the last id of the stream, at which it may be resumed
	TookMs    float64            `json:"tookMs,omitempty"`  // from the last byte sent to the answer; 0 without one
	Exited    *int               `json:"exited,omitempty"`  // the process ended in this step
	Closed    bool               `json:"closed,omitempty"`  // nothing more could come
	Note      string             `json:"note,omitempty"`    // what the prober has to say about the step
	Cut       bool               `json:"cut,omitempty"`     // the time of the whole probe was up before the step was over
	// Control says whether the server answered something else after it had been silent: "answered", "silent", or ""
	// where nobody asked.
	Control string `json:"control,omitempty"`
	// Again is how a second try went: "silent" or "answered"; "" where nobody tried.
	Again string `json:"again,omitempty"`
	// Samples are the times of a series, in milliseconds, and Controls those of the control round trips beside them.
	Samples  []float64 `json:"samples,omitempty"`
	Controls []float64 `json:"controls,omitempty"`
}

func (r *Record) took() time.Duration { return time.Duration(r.TookMs * float64(time.Millisecond)) }

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Bytes are bytes of the wire. In a transcript they are {"json": value} where that gives back the same bytes, else
// {"text": string} or, if they are not UTF-8, {"base64": string}.
type Bytes []byte

// MarshalJSON implements json.Marshaler.
func (b Bytes) MarshalJSON() ([]byte, error) {
	var compact bytes.Buffer
	switch {
	case json.Compact(&compact, b) == nil && bytes.Equal(compact.Bytes(), b) && utf8.Valid(b):
		return json.Marshal(struct {
			JSON json.RawMessage `json:"json"`
		}{json.RawMessage(b)})
	case utf8.Valid(b):
		return json.Marshal(struct {
			Text string `json:"text"`
		}{string(b)})
	}
	return json.Marshal(struct {
		Base64 []byte `json:"base64"`
	}{b})
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	var v struct {
		JSON   json.RawMessage `json:"json"`
		Text   *string         `json:"text"`
		Base64 []byte          `json:"base64"`
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		return fmt.Errorf("want {\"json\": ...}, {\"text\": ...} or {\"base64\": ...}: %w", err)
	}
	switch {
	case v.JSON != nil:
		*b = Bytes(v.JSON)
	case v.Text != nil:
		*b = Bytes(*v.Text)
	default:
		*b = Bytes(v.Base64)
	}
	return nil
}

// WriteTranscript writes records, one a line.
func WriteTranscript(w io.Writer, records []Record) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("write the transcript: %w", err)
		}
	}
	return nil
}

// ReadTranscript reads what WriteTranscript wrote. Blank lines and lines that start with # are left out.
func ReadTranscript(r io.Reader) ([]Record, error) {
	var out []Record
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 4*maxFrame)
	for n := 1; sc.Scan(); n++ {
		line := bytes.TrimSpace(sc.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		var rec Record
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&rec); err != nil {
			return nil, fmt.Errorf("read line %d of the transcript: %w", n, err)
		}
		out = append(out, rec)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read the transcript: %w", err)
	}
	return out, nil
}

// keptHeaders are the headers of an answer that say something about the protocol. Cookies and the like stay out.
var keptHeaders = []string{"Content-Type", "Mcp-Session-Id", "Mcp-Protocol-Version", "Www-Authenticate", "Allow", "Location", "Retry-After", "Content-Encoding"}

func keepHeaders(h http.Header) http.Header {
	out := http.Header{}
	for _, k := range keptHeaders {
		if v := h.Values(k); len(v) > 0 {
			out[k] = slices.Clone(v)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// redacted is a copy that may be kept and shown: without secrets, and without the bulk of what is too long to read.
func (r Record) redacted(x *redactor) Record {
	r.Sent, r.Received, r.Unread = x.all(r.Sent), x.all(r.Received), x.all(r.Unread)
	r.Note = x.text(r.Note)
	if r.Header != nil {
		r.Header = r.Header.Clone()
		for k, vs := range r.Header {
			for i := range vs {
				if vs[i] = x.text(vs[i]); k == "Mcp-Session-Id" && vs[i] != "" {
					vs[i] = hidden // whoever has it can join the session
				} else if k == "Location" {
					vs[i] = RedactURL(vs[i])
				}
			}
		}
	}
	return r
}

func (x *redactor) all(in []Bytes) []Bytes {
	if in == nil {
		return nil
	}
	out := make([]Bytes, len(in))
	for i, b := range in {
		out[i] = x.bytes(b)
		if len(out[i]) > maxKept {
			out[i] = append(slices.Clone(out[i][:maxKept]), "…"...)
		}
	}
	return out
}

// exchange is the record in the words of the model.
func (r *Record) exchange(x *redactor, repeat string) *mcpaudit.Exchange {
	kept := r.redacted(x)
	var sent []string
	for _, b := range kept.Sent {
		sent = append(sent, string(b))
	}
	e := &mcpaudit.Exchange{Scenario: r.Scenario, Transport: string(r.Transport), Revision: string(r.Revision),
		Sent: json.RawMessage(strings.Join(sent, "\n")), Status: r.Status, Header: kept.Header, Took: r.took(), Exited: r.Exited, Repeat: repeat}
	for _, b := range append(kept.Received, kept.Unread...) {
		e.Received = append(e.Received, json.RawMessage(b))
	}
	return e
}
