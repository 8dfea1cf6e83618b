package code

import (
	"fmt"
	"strconv"
	"strings"
)

// Print dumps a file for tests and for people who wonder what a reader saw. Places are left out, so that a dump
// survives a moved line. A line holds one declaration or statement; the lines of its body are indented below it.
//
//	file src/server.ts lang=typescript pkg=src/server
//	import * as "fs" from "node:fs"
//	class Server < Base
//	  name: string = "x"
//	func Server.handle(req, {id, method: m = "x"}: Req, ...rest) async -> Result
//	  let <id, params = {}> = req.body
//	  switch method
//	    case "ping" "pong" falls
//	      return {"result": {}, id: id2, ...extra}
//	    default
//	func f()
//	top
//	  let f = (func f)
//	  on("ping", (lambda (x)
//	    return x
//	  ))
//
// Expressions are spelt like source, but with every operator in brackets: (a == b), (! x), (await x). A bare key
// is a plain one, a quoted key a string, a key in brackets an expression. (func f) stands for a function of
// File.Funcs, which is printed in full above; a function that is not there is printed in place as a lambda.
// (other "text" parts) is what the language could not lower, (template "start" holes) a string with holes.
func Print(f *File) string {
	p := &printer{named: map[*Func]bool{}}
	for _, fn := range f.Funcs {
		p.named[fn] = true
	}
	p.line("file %s lang=%s pkg=%s%s", f.Path, f.Lang, f.Pkg, when(f.Typed, " typed"))
	for _, i := range f.Imports {
		p.line("import %s%s as %q from %q", when(i.TypeOnly, "type "), word(i.Name), i.Local, i.Module)
	}
	for _, c := range f.Classes {
		p.class(c)
	}
	for _, fn := range f.Funcs {
		p.decorators(fn.Decorators)
		p.line("func %s%s", p.funcName(fn), p.signature(fn))
		p.stmts(fn.Body)
	}
	if len(f.Top) > 0 {
		p.line("top")
		p.stmts(f.Top)
	}
	for _, g := range f.Gaps {
		p.line("gap %s %s", g.Reason, g.Detail)
	}
	return p.b.String()
}

type printer struct {
	b      strings.Builder
	indent int
	named  map[*Func]bool
}

func when(ok bool, s string) string {
	if ok {
		return s
	}
	return ""
}

// word quotes what would be invisible or misread as two words.
func word(s string) string {
	if s == "" || strings.ContainsAny(s, " \t\n\"") {
		return strconv.Quote(s)
	}
	return s
}

func (p *printer) line(format string, args ...any) {
	p.b.WriteString(strings.Repeat("  ", p.indent))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

func (p *printer) stmts(list []*Stmt) {
	p.indent++
	for _, s := range list {
		p.stmt(s)
	}
	p.indent--
}

func (p *printer) class(c *Class) {
	p.decorators(c.Decorators)
	bases := ""
	if len(c.Bases) > 0 {
		bases = " < " + p.exprs(c.Bases, ", ")
	}
	p.line("%s %s%s%s", map[bool]string{false: "class", true: "enum"}[c.Enum], word(c.Name), sym(c.Sym), bases)
	p.indent++
	for _, f := range c.Fields {
		s := when(f.Embedded, "embedded ") + word(f.Name)
		if f.Type != "" {
			s += ": " + f.Type
		}
		if f.JSON != "" || f.Drop != "" {
			s += fmt.Sprintf(" json=%q drop=%q", f.JSON, f.Drop)
		}
		if f.Value != nil {
			s += " = " + p.expr(f.Value)
		}
		p.line("%s", s)
	}
	p.indent--
}

func (p *printer) decorators(list []*Expr) {
	for _, d := range list {
		p.line("@ %s", p.expr(d))
	}
}

func (p *printer) funcName(f *Func) string {
	if f.Class != "" {
		return f.Class + "." + word(f.Name)
	}
	return word(f.Name)
}

func (p *printer) signature(f *Func) string {
	params := make([]string, len(f.Params))
	for i, a := range f.Params {
		s := when(a.Rest, "...") + a.Name
		if a.Name == "" || len(a.Fields) > 0 {
			s += "{" + p.fields(a.Fields) + "}"
		}
		if a.Type != "" {
			s += ": " + a.Type
		}
		if a.Default != nil {
			s += " = " + p.expr(a.Default)
		}
		params[i] = s
	}
	s := "(" + strings.Join(params, ", ") + ")" + when(f.Async, " async")
	if len(f.Results) > 0 {
		s += " -> " + strings.Join(f.Results, ", ")
	}
	return s + sym(f.Sym)
}

func sym(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func (p *printer) stmt(s *Stmt) {
	exprs := p.exprs(s.Exprs, ", ")
	space := when(exprs != "", " ") + exprs
	switch s.Kind {
	case StmtExpr:
		p.line("%s", exprs)
	case StmtAssign:
		op := s.Op
		if op == "" {
			op = "?="
		}
		if len(s.Exprs) == 0 {
			p.line("%s%s", when(s.Declares, "let "), p.exprs(s.LHS, ", "))
		} else {
			p.line("%s%s %s %s", when(s.Declares, "let "), p.exprs(s.LHS, ", "), op, exprs)
		}
	case StmtReturn:
		p.line("return%s", space)
	case StmtThrow:
		p.line("throw%s", space)
	case StmtIf:
		p.line("if %s", p.expr(s.Cond))
		p.stmts(s.Body)
		p.block("else", s.Else)
	case StmtSwitch:
		p.line("switch %s", p.expr(s.Cond))
		p.indent++
		p.cases(s.Cases, "case", "default")
		p.indent--
	case StmtLoop:
		p.line("loop %s%s%s", p.exprs(s.LHS, ", "), when(len(s.LHS) > 0, " in "), p.expr(s.Cond))
		p.stmts(s.Body)
		p.block("else", s.Else)
	case StmtTry:
		p.line("try")
		p.stmts(s.Body)
		p.cases(s.Cases, "catch", "catch default")
		p.block("finally", s.Else)
	case StmtBlock:
		p.line("block%s", space)
		p.stmts(s.Body)
	case StmtFunc:
		if s.Func != nil && p.named[s.Func] {
			p.line("(func %s)", p.funcName(s.Func))
		} else {
			p.line("%s", p.lambda(s.Func))
		}
	case StmtClass:
		p.line("class%s", space)
	case StmtBreak:
		p.line("break%s", space)
	case StmtContinue:
		p.line("continue%s", space)
	case StmtDefer:
		p.line("defer%s", space)
	case StmtDelete:
		p.line("delete%s", space)
	default:
		p.line("other%s", space)
		p.stmts(s.Body)
	}
}

func (p *printer) block(head string, list []*Stmt) {
	if len(list) > 0 {
		p.line("%s", head)
		p.stmts(list)
	}
}

func (p *printer) cases(list []Case, head, byDefault string) {
	for _, c := range list {
		s := head
		if c.Default {
			s = byDefault
		}
		if len(c.Values) > 0 {
			s += " " + p.exprs(c.Values, " ")
		}
		if c.Guard != nil {
			s += " if " + p.expr(c.Guard)
		}
		p.line("%s%s", s, when(c.Falls, " falls"))
		p.stmts(c.Body)
	}
}

func (p *printer) exprs(list []*Expr, sep string) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = p.expr(e)
	}
	return strings.Join(parts, sep)
}

// args prints the parts of a bracketed form, each led by a space.
func (p *printer) args(list []*Expr) string {
	if len(list) == 0 {
		return ""
	}
	return " " + p.exprs(list, " ")
}

func (p *printer) expr(e *Expr) string {
	if e == nil {
		return "_"
	}
	s := p.bare(e)
	if e.Src != "" {
		s += "`" + e.Src + "`"
	}
	return s + sym(e.Sym)
}

func (p *printer) bare(e *Expr) string {
	switch e.Kind {
	case String:
		return strconv.Quote(e.Text)
	case Number, Bool, Name:
		return e.Text
	case Null:
		return "null"
	case Undefined:
		return "undefined"
	case Object:
		return e.Type + "{" + p.fields(e.Fields) + "}"
	case Array:
		return e.Type + "[" + p.exprs(e.Args, ", ") + "]"
	case Member:
		return p.expr(e.X) + "." + e.Text
	case Index:
		x := ""
		if e.X != nil {
			x = p.expr(e.X)
		}
		return x + "[" + p.exprs(e.Args, ", ") + "]"
	case Call:
		args := p.exprs(e.Args, ", ")
		if len(e.Fields) > 0 {
			args += when(args != "", ", ") + p.fields(e.Fields)
		}
		return when(e.New, "new ") + p.expr(e.X) + "(" + args + ")"
	case Lambda:
		if e.Func != nil && p.named[e.Func] {
			return "(func " + p.funcName(e.Func) + ")"
		}
		return p.lambda(e.Func)
	case Binary:
		return "(" + p.expr(e.X) + " " + e.Text + " " + p.expr(e.Y) + ")"
	case Unary:
		return "(" + e.Text + " " + p.expr(e.X) + ")"
	case Ternary:
		return "(?" + p.args(e.Args) + ")"
	case Await:
		return "(await " + p.expr(e.X) + ")"
	case Spread:
		return "..." + p.expr(e.X)
	case Template:
		return "(template " + strconv.Quote(e.Text) + p.args(e.Args) + ")"
	case Assign:
		return "(" + p.expr(e.X) + " := " + p.expr(e.Y) + ")"
	case Binding:
		if len(e.Args) > 0 {
			return "<[" + p.exprs(e.Args, ", ") + "]>"
		}
		return e.Type + "<" + p.fields(e.Fields) + ">"
	}
	text := ""
	if e.Text != "" {
		text = " " + strconv.Quote(e.Text)
	}
	return "(other" + text + p.args(e.Args) + ")"
}

func (p *printer) fields(list []Field) string {
	parts := make([]string, len(list))
	for i, f := range list {
		s := ""
		switch {
		case f.Key == nil:
			s = "..." + p.expr(f.Value)
		case f.Key.Kind == Name && f.Value != nil && f.Value.Kind == Name && f.Value.Text == f.Key.Text:
			s = f.Key.Text
		case f.Key.Kind == String || f.Key.Kind == Name || f.Key.Kind == Index && f.Key.X == nil:
			s = p.expr(f.Key) + ": " + p.expr(f.Value)
		default:
			s = "[" + p.expr(f.Key) + "]: " + p.expr(f.Value)
		}
		if f.Default != nil {
			s += " = " + p.expr(f.Default)
		}
		parts[i] = s
	}
	return strings.Join(parts, ", ")
}

// lambda prints a function in place. Its body is on lines of its own, indented below the statement that it is
// part of, unless it only returns one value that fits on the line.
func (p *printer) lambda(f *Func) string {
	if f == nil {
		return "(lambda)"
	}
	q := &printer{indent: p.indent, named: p.named}
	q.decorators(f.Decorators)
	q.stmts(f.Body)
	head := "(lambda " + word(f.Name) + q.signature(f)
	if f.Name == "" {
		head = "(lambda " + q.signature(f)
	}
	body := q.b.String()
	if body == "" {
		return head + ")"
	}
	return head + "\n" + body + strings.Repeat("  ", p.indent) + ")"
}
