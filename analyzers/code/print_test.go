package code

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
)

func name(s string) *Expr      { return &Expr{Kind: Name, Text: s} }
func text(s string) *Expr      { return &Expr{Kind: String, Text: s} }
func exprs(e ...*Expr) []*Expr { return e }

func TestPrint(t *testing.T) {
	f := &Func{
		Name: "handle", Class: "Server", Async: true, Results: []string{"Result"}, Sym: "m.Server.handle",
		Params: []Param{
			{Name: "req"},
			{Type: "Req", Fields: []Field{
				{Key: name("id"), Value: name("id")},
				{Key: name("method"), Value: name("m"), Default: text("x")},
			}},
			{Name: "rest", Rest: true},
		},
		Decorators: exprs(name("tool")),
		Body: []*Stmt{
			{Kind: StmtSwitch, Cond: name("method"), Cases: []Case{
				{Values: exprs(text("a"), text("b")), Falls: true, Body: []*Stmt{{Kind: StmtBreak}}},
				{Values: exprs(name("c")), Guard: name("ok"), Body: []*Stmt{{Kind: StmtReturn, Exprs: exprs(
					&Expr{Kind: Object, Type: "Result", Fields: []Field{
						{Key: text("result"), Value: &Expr{Kind: Object}},
						{Key: name("id"), Value: name("other")},
						{Key: &Expr{Kind: Index, Args: exprs(name("key"))}, Value: &Expr{Kind: Null}},
						{Key: &Expr{Kind: Member, X: name("K"), Text: "x"}, Value: &Expr{Kind: Undefined}},
						{Value: name("extra")},
					}},
				)}}},
				{Default: true, Body: []*Stmt{{Kind: StmtContinue}}},
			}},
			{
				Kind: StmtTry, Body: []*Stmt{{Kind: StmtThrow, Exprs: exprs(name("e"))}},
				Cases: []Case{{Values: exprs(name("KeyError")), Body: []*Stmt{{Kind: StmtReturn}}}},
				Else:  []*Stmt{{Kind: StmtDelete, Exprs: exprs(&Expr{Kind: Index, X: name("x"), Args: exprs(name("y"))})}},
			},
			{
				Kind: StmtIf, Cond: &Expr{Kind: Binary, X: name("a"), Text: "==", Y: &Expr{Kind: Bool, Text: "true"}},
				Body: []*Stmt{{Kind: StmtLoop, LHS: exprs(name("i")), Cond: name("list")}},
				Else: []*Stmt{{Kind: StmtBlock, Exprs: exprs(name("lock"))}, {Kind: StmtOther}},
			},
			{Kind: StmtDefer, Exprs: exprs(&Expr{Kind: Await, X: name("p")})},
		},
	}
	lambda := &Func{Params: []Param{{Name: "x"}}, Body: []*Stmt{{Kind: StmtReturn, Exprs: exprs(name("x"))}}}
	file := &File{
		Path: "a.go", Lang: "go", Pkg: "m", Typed: true,
		Imports: []Import{
			{Module: "fs", Name: "*", Local: "f"}, {Module: "t", Name: "T", Local: "T", TypeOnly: true}, {Module: "s"},
		},
		Classes: []*Class{
			{
				Name: "Server", Sym: "m.Server", Bases: exprs(name("Base")), Decorators: exprs(name("d")),
				Fields: []ClassField{
					{Name: "ID", Type: "int", JSON: "id", Drop: "omitempty"}, {Name: "Base", Embedded: true},
				},
			},
			{Name: "E", Enum: true, Fields: []ClassField{{Name: "A", Value: text("a")}}},
		},
		Funcs: []*Func{f},
		Top: []*Stmt{
			{Kind: StmtAssign, Op: "=", Declares: true, LHS: exprs(name("h")), Exprs: exprs(&Expr{Kind: Lambda, Func: f})},
			{Kind: StmtAssign, Op: "+=", LHS: exprs(name("n")), Exprs: exprs(&Expr{Kind: Number, Text: "1", Src: "one"})},
			{Kind: StmtAssign, Declares: true, LHS: exprs(&Expr{Kind: Binding, Args: exprs(name("a"), name("b"))})},
			{Kind: StmtExpr, Exprs: exprs(&Expr{
				Kind: Call, X: &Expr{Kind: Member, X: name("s"), Text: "on", Sym: "m.S.on"}, New: true,
				Args:   exprs(text("ping"), &Expr{Kind: Lambda, Func: lambda}),
				Fields: []Field{{Key: name("k"), Value: text("v")}},
			})},
			{Kind: StmtExpr, Exprs: exprs(&Expr{Kind: Array, Type: "[]T", Args: exprs(
				&Expr{Kind: Unary, Text: "!", X: name("x")},
				&Expr{Kind: Ternary, Args: exprs(name("a"), name("b"), name("c"))},
				&Expr{Kind: Spread, X: name("r")},
				&Expr{Kind: Template, Text: "no ", Args: exprs(name("h"))},
				&Expr{Kind: Assign, X: name("x"), Y: name("y")},
				&Expr{Kind: Other, Text: "/re/", Args: exprs(name("z"))},
				nil,
			)})},
			{Kind: StmtFunc, Func: f},
			{Kind: StmtClass},
		},
		Gaps: []mcpaudit.Gap{{Reason: mcpaudit.GapParse, Detail: "syntax error"}},
	}
	want := `file a.go lang=go pkg=m typed
import * as "f" from "fs"
import type T as "T" from "t"
import "" as "" from "s"
@ d
class Server` + "`m.Server`" + ` < Base
  ID: int json="id" drop="omitempty"
  embedded Base
enum E
  A = "a"
@ tool
func Server.handle(req, {id, method: m = "x"}: Req, ...rest) async -> Result` + "`m.Server.handle`" + `
  switch method
    case "a" "b" falls
      break
    case c if ok
      return Result{"result": {}, id: other, [key]: null, [K.x]: undefined, ...extra}
    default
      continue
  try
    throw e
  catch KeyError
    return
  finally
    delete x[y]
  if (a == true)
    loop i in list
  else
    block lock
    other
  defer (await p)
top
  let h = (func Server.handle)
  n += 1` + "`one`" + `
  let <[a, b]>
  new s.on` + "`m.S.on`" + `("ping", (lambda (x)
    return x
  ), k: "v")
  []T[(! x), (? a b c), ...r, (template "no " h), (x := y), (other "/re/" z), _]
  (func Server.handle)
  class
gap ` + string(mcpaudit.GapParse) + ` syntax error
`
	if diff := cmp.Diff(want, Print(file)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
