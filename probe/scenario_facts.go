package probe

import (
	"context"
	"fmt"

	"github.com/mcpaudit/mcpaudit"
)

// facts are what the same conversation shows anyway. No pattern judges them yet.
var facts = []exercise{
	{name: "facts/unknown-method", about: "a method that nobody knows", place: onMain, needs: needs{ownRisk: true}, trigger: mcpaudit.TriggerUnknownMethod, run: asking("401", "mcpaudit/no-such-method")},
	{name: "facts/tools", about: "tools/list, offered or not", place: onMain, trigger: mcpaudit.TriggerList, method: "tools/list", run: asking("402", "tools/list")},
	{name: "facts/resources", about: "resources/list, offered or not", place: onMain, trigger: mcpaudit.TriggerList, method: "resources/list", run: asking("403", "resources/list")},
	{name: "facts/prompts", about: "prompts/list, offered or not", place: onMain, trigger: mcpaudit.TriggerList, method: "prompts/list", run: asking("404", "prompts/list")},
	{name: "facts/unknown-notification", about: "a notification that nobody knows", place: onMain, trigger: mcpaudit.TriggerNotification, run: mute(`{"jsonrpc":"2.0","method":"notifications/mcpaudit"}`)},
	{name: "facts/late-cancel", about: "the cancellation of a request that was never made", place: onMain, trigger: mcpaudit.TriggerNotification, run: mute(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"mcpaudit-never"}}`)},
	{name: "facts/response", about: "a response that nobody asked for", place: onMain, needs: needs{ownRisk: true}, trigger: mcpaudit.TriggerResponse, run: mute(`{"jsonrpc":"2.0","id":"mcpaudit-none","result":{}}`)},
}

// asking sends a request that every server survives.
func asking(id, method string) func(context.Context, *talk, exercise, *session) {
	return func(ctx context.Context, t *talk, e exercise, s *session) {
		msg := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q}`, id, method)
		s.say(ctx, step{scenario: e.name, msgs: [][]byte{[]byte(msg)}, wait: t.opts.Timeout})
	}
}

func mute(msg string) func(context.Context, *talk, exercise, *session) {
	return func(ctx context.Context, t *talk, e exercise, s *session) { t.mute(ctx, e, s, []byte(msg), factWindow) }
}

// malformed are messages that end the connection of some servers. They come last, each on its own connection.
var malformed = []exercise{
	broken("malformed/id-null", "a ping whose id is null", mcpaudit.TriggerPingBadID, `{"jsonrpc":"2.0","id":null,"method":"ping"}`),
	broken("malformed/id-true", "a ping whose id is true", mcpaudit.TriggerPingBadID, `{"jsonrpc":"2.0","id":true,"method":"ping"}`),
	broken("malformed/id-fraction", "a ping whose id is 1.5", mcpaudit.TriggerPingBadID, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`),
	broken("malformed/id-list", "a ping whose id is a list", mcpaudit.TriggerPingBadID, `{"jsonrpc":"2.0","id":[1],"method":"ping"}`),
	broken("malformed/id-object", "a ping whose id is an object", mcpaudit.TriggerPingBadID, `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`),
	broken("malformed/json", "a line that is no JSON", mcpaudit.TriggerMalformed, `{"jsonrpc":"2.0","id":1,"method":"ping"`),
	broken("malformed/batch", "two pings in a batch", mcpaudit.TriggerMalformed, `[{"jsonrpc":"2.0","id":11,"method":"ping"},{"jsonrpc":"2.0","id":12,"method":"ping"}]`),
}

func broken(name, about string, trigger mcpaudit.Trigger, msg string) exercise {
	return exercise{name: name, about: about, place: onFresh, needs: needs{ownRisk: true}, trigger: trigger, run: func(ctx context.Context, t *talk, e exercise, s *session) {
		rec := s.say(ctx, step{scenario: e.name, msgs: [][]byte{[]byte(msg)}, wait: factWindow})
		t.outlive(ctx, s, rec)
	}}
}

// shutdown is the end of the main connection: what the server does when its input ends or its session is deleted.
var shutdown = []exercise{
	{name: "shutdown/end", about: "the end of the input, or DELETE", place: onMain, trigger: mcpaudit.TriggerEndOfInput, run: func(ctx context.Context, t *talk, e exercise, s *session) {
		s.close(ctx, e.name)
		t.main = nil
	}},
}
