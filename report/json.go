package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpaudit/mcpaudit/report/quote"
)

// JSON writes version 1 of the interchange format. The types below are its contract and are apart from those of
// the model, so that the model may change: keys and values may be added, but to remove, rename or retype one
// makes a version 2. All keys are always there; a list without members is [], and null is only where absence says
// something.
//
// Lines and columns count from 1, columns in code points; bytes count from 0. They are null where the report does not
// hold the source.
func JSON(w io.Writer, r *Report) error {
	if err := r.verify(); err != nil {
		return err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(jsonReport(r)); err != nil {
		return fmt.Errorf("write json: %w", err)
	}
	_, err := w.Write(escapeHostile(b.Bytes()))
	return err
}

// escapeHostile writes what people must not see in a terminal as \uXXXX. encoding/json leaves it alone, but people
// print these files. Such runes are in strings only, so the data stays the same.
func escapeHostile(doc []byte) []byte {
	out := make([]byte, 0, len(doc))
	for len(doc) > 0 {
		r, n := utf8.DecodeRune(doc)
		switch {
		case r == '\n' || !quote.Hostile(r):
			out = append(out, doc[:n]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		doc = doc[n:]
	}
	return out
}

// str keeps what is not UTF-8 readable; the encoder would turn it into replacement characters in silence.
func str(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return quote.Visible(s)
}

func strs[S ~string](in []S) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = str(string(s))
	}
	return out
}

type (
	jsonDocument struct {
		Schema   string         `json:"$schema"`
		Version  int            `json:"version"`
		Tool     jsonTool       `json:"tool"`
		Verdict  jsonVerdict    `json:"verdict"`
		Root     jsonRoot       `json:"root"`
		Servers  []jsonServer   `json:"servers"`
		Probes   []jsonProbe    `json:"probes"`
		Findings []jsonFinding  `json:"findings"`
		Coverage []jsonCoverage `json:"coverage"`
		Gaps     []jsonGap      `json:"gaps"`
		Ignores  jsonIgnores    `json:"ignores"`
		Baseline *jsonBaseline  `json:"baseline"`
		Counts   jsonCounts     `json:"counts"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	jsonVerdict struct {
		Exit     int    `json:"exit"`
		Reason   string `json:"reason"`
		FailOn   string `json:"failOn"`
		Analysed bool   `json:"analysed"`
		Probe    string `json:"probe"`
		Partial  bool   `json:"partial"`
	}
	jsonRoot struct {
		VCS      string `json:"vcs"`
		Revision string `json:"revision"`
		Dirty    bool   `json:"dirty"`
		Prefix   string `json:"prefix"`
	}
	jsonServer struct {
		Name       string      `json:"name"`
		Language   string      `json:"language"`
		SDK        *jsonSDK    `json:"sdk"`
		Eras       []string    `json:"eras"`
		Revisions  []string    `json:"revisions"`
		Transports []string    `json:"transports"`
		Evidence   []jsonPlace `json:"evidence"`
		OnlyHeard  bool        `json:"onlyHeard"`
	}
	jsonProbe struct {
		Target    string         `json:"target"`
		Server    string         `json:"server"`
		Transport string         `json:"transport"`
		Revisions []string       `json:"revisions"`
		Complete  bool           `json:"complete"`
		Ran       int            `json:"ran"`
		NotRun    []jsonExercise `json:"notRun"`
		Failure   string         `json:"failure"`
		Source    string         `json:"source"`
		Ping      *jsonTiming    `json:"ping"`
	}
	jsonExercise struct {
		Exercise string `json:"exercise"`
		Reason   string `json:"reason"`
	}
	jsonTiming struct {
		MedianMs  float64 `json:"medianMs"`
		ControlMs float64 `json:"controlMs"`
		Samples   int     `json:"samples"`
	}
	jsonSDK struct {
		Name     string     `json:"name"`
		Version  string     `json:"version"`
		Evidence *jsonPlace `json:"evidence"`
	}
	jsonPlace struct {
		Path string `json:"path"`
		Line *int   `json:"line"`
	}
	jsonSubject struct {
		Server    string `json:"server"`
		Primitive string `json:"primitive"`
		Name      string `json:"name"`
		Router    string `json:"router"`
	}
	jsonFinding struct {
		ID          string         `json:"id"`
		Fault       string         `json:"fault"`
		Slug        string         `json:"slug"`
		Title       string         `json:"title"`
		Level       string         `json:"level"`
		Severity    string         `json:"severity"`
		Confidence  string         `json:"confidence"`
		Persona     string         `json:"persona"`
		Status      string         `json:"status"`
		Era         string         `json:"era"`
		Subject     jsonSubject    `json:"subject"`
		Message     string         `json:"message"`
		Hints       []string       `json:"hints"`
		Locations   []jsonLocation `json:"locations"`
		Exchanges   []jsonExchange `json:"exchanges"`
		Fixes       []jsonFix      `json:"fixes"`
		Ignore      *jsonIgnore    `json:"ignore"`
		Fingerprint *string        `json:"fingerprint"` // null: no baseline can match it
		Refs        []string       `json:"refs"`
		Help        string         `json:"help"`
	}
	jsonLocation struct {
		Role  string       `json:"role"`
		Path  string       `json:"path"`
		Start jsonPosition `json:"start"`
		End   jsonPosition `json:"end"`
		Note  string       `json:"note"`
	}
	jsonPosition struct {
		Line   *int `json:"line"`
		Column *int `json:"column"`
		Byte   int  `json:"byte"`
	}
	jsonExchange struct {
		Scenario  string  `json:"scenario"`
		Transport string  `json:"transport"`
		Revision  string  `json:"revision"`
		Sent      jsonRaw `json:"sent"`
		Received  []any   `json:"received"`
		TookMs    int64   `json:"tookMs"`
		Status    int     `json:"status"`
		Repeat    string  `json:"repeat"`
	}
	// jsonRaw is jsonText or jsonBase64: the bytes of the wire as they were.
	jsonRaw  any
	jsonText struct {
		Text string `json:"text"`
	}
	jsonBase64 struct {
		Base64 []byte `json:"base64"`
	}
	jsonFix struct {
		Title  string     `json:"title"`
		Safety string     `json:"safety"`
		Edits  []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		Path  string `json:"path"`
		Start int    `json:"start"`
		End   int    `json:"end"`
		Text  string `json:"text"`
	}
	jsonIgnore struct {
		Path   string `json:"path"`
		Line   *int   `json:"line"`
		Reason string `json:"reason"`
	}
	jsonCoverage struct {
		Subject  jsonSubject `json:"subject"`
		Pattern  string      `json:"pattern"`
		Fault    string      `json:"fault"`
		Verdict  string      `json:"verdict"`
		Reason   string      `json:"reason"`
		Examined int         `json:"examined"`
		Why      string      `json:"why"`
		Evidence *jsonPlace  `json:"evidence"`
	}
	jsonGap struct {
		Path     string `json:"path"`
		Language string `json:"language"`
		Reason   string `json:"reason"`
		Detail   string `json:"detail"`
	}
	jsonIgnores struct {
		Used    int          `json:"used"`
		Unused  []jsonIgnore `json:"unused"`
		Expired []jsonIgnore `json:"expired"`
		Invalid []jsonIgnore `json:"invalid"`
	}
	jsonBaseline struct {
		Path    string      `json:"path"`
		Matched int         `json:"matched"`
		Stale   []jsonStale `json:"stale"`
	}
	jsonStale struct {
		Fingerprint string `json:"fingerprint"`
		Pattern     string `json:"pattern"`
		Path        string `json:"path"`
	}
	jsonCounts struct {
		Error     int        `json:"error"`
		Warning   int        `json:"warning"`
		Note      int        `json:"note"`
		Hidden    jsonHidden `json:"hidden"`
		Ignored   int        `json:"ignored"`
		Baselined int        `json:"baselined"`
		Files     int        `json:"files"`
		Gaps      int        `json:"gaps"`
	}
	jsonHidden struct {
		Persona    int `json:"persona"`
		Confidence int `json:"confidence"`
		Severity   int `json:"severity"`
	}
)
