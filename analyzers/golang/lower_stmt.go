package golang

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

func (l *lowerer) stmts(list []ast.Stmt) []*code.Stmt {
	var out []*code.Stmt
	for _, s := range list {
		out = append(out, l.stmt(s)...)
	}
	return out
}

// optional lowers the statement of an if, a switch or a for that may be missing.
func (l *lowerer) optional(s ast.Stmt) []*code.Stmt {
	if s == nil {
		return nil
	}
	return l.stmt(s)
}

// within puts the statements of an init clause before the statement that has it, in a block of their own.
func within(init []*code.Stmt, s *code.Stmt) []*code.Stmt {
	if len(init) == 0 {
		return []*code.Stmt{s}
	}
	return []*code.Stmt{{Kind: code.StmtBlock, Body: append(init, s), Span: s.Span}}
}

// stmt lowers one statement to none or more. The shapes that are not plain:
//
//	x++                        x += 1
//	if v := f(); v { }         block { v = f(); if v { } }       likewise for switch and for
//	for i := 0; c; post { }    block { i = 0; loop c { ...; post } }
//	panic(x)                   throw x
//	return                     return of the named results
//	select { case v := <-ch: } switch { case <ch>: v = await ch }
//	L: for { }                 block { loop { } }
func (l *lowerer) stmt(s ast.Stmt) []*code.Stmt {
	out := &code.Stmt{Span: l.span(s)}
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return nil
	case *ast.ExprStmt:
		out.Kind, out.Exprs = code.StmtExpr, []*code.Expr{l.expr(s.X)}
		if args, ok := l.panics(s.X); ok {
			out.Kind, out.Exprs = code.StmtThrow, l.exprs(args)
		}
	case *ast.AssignStmt:
		out.Kind, out.LHS, out.Exprs = code.StmtAssign, l.exprs(s.Lhs), l.exprs(s.Rhs)
		out.Op, out.Declares = s.Tok.String(), s.Tok == token.DEFINE
		if out.Declares {
			out.Op = "="
		}
	case *ast.IncDecStmt:
		out.Kind, out.LHS = code.StmtAssign, []*code.Expr{l.expr(s.X)}
		out.Op = s.Tok.String()[:1] + "="
		out.Exprs = []*code.Expr{{Kind: code.Number, Text: "1", Span: l.between(s.TokPos, s.End())}}
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			return l.genDecl(d, false)
		}
	case *ast.ReturnStmt:
		out.Kind, out.Exprs = code.StmtReturn, l.exprs(s.Results)
		if len(s.Results) == 0 && len(l.results) > 0 {
			for _, n := range l.results[len(l.results)-1] {
				out.Exprs = append(out.Exprs, &code.Expr{Kind: code.Name, Text: n.Name, Span: out.Span})
			}
		}
	case *ast.BlockStmt:
		out.Kind, out.Body = code.StmtBlock, l.stmts(s.List)
	case *ast.IfStmt:
		return l.ifStmt(s, out)
	case *ast.SwitchStmt:
		init := l.optional(s.Init)
		out.Kind = code.StmtSwitch
		if s.Tag != nil {
			out.Cond = l.expr(s.Tag)
		}
		out.Cases = l.cases(s.Body)
		return within(init, out)
	case *ast.TypeSwitchStmt:
		return l.typeSwitch(s, out)
	case *ast.SelectStmt:
		out.Kind, out.Cases = code.StmtSwitch, l.cases(s.Body)
	case *ast.ForStmt:
		init := l.optional(s.Init)
		out.Kind = code.StmtLoop
		if s.Cond != nil {
			out.Cond = l.expr(s.Cond)
		}
		out.Body = append(l.stmts(s.Body.List), l.optional(s.Post)...)
		return within(init, out)
	case *ast.RangeStmt:
		out.Kind, out.Cond = code.StmtLoop, l.expr(s.X)
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil {
				out.LHS = append(out.LHS, l.expr(e))
			}
		}
		out.Declares = s.Tok == token.DEFINE
		out.Body = l.stmts(s.Body.List)
	case *ast.GoStmt:
		out.Kind, out.Exprs = code.StmtDefer, []*code.Expr{l.expr(s.Call)}
	case *ast.DeferStmt:
		out.Kind, out.Exprs = code.StmtDefer, []*code.Expr{l.expr(s.Call)}
	case *ast.SendStmt:
		out.Kind, out.Exprs = code.StmtExpr, []*code.Expr{l.send(s)}
	case *ast.LabeledStmt:
		out.Kind, out.Body = code.StmtBlock, l.stmt(s.Stmt)
	case *ast.BranchStmt:
		l.branch(s, out)
	default:
		out.Kind = code.StmtOther
	}
	return []*code.Stmt{out}
}

// branch keeps a jump with a label apart: it leaves more than the construct around it.
func (l *lowerer) branch(s *ast.BranchStmt, out *code.Stmt) {
	switch {
	case s.Label != nil:
		out.Kind = code.StmtOther
		out.Exprs = []*code.Expr{{Kind: code.Other, Text: s.Tok.String() + " " + s.Label.Name, Span: out.Span}}
	case s.Tok == token.BREAK:
		out.Kind = code.StmtBreak
	case s.Tok == token.CONTINUE:
		out.Kind = code.StmtContinue
	default:
		out.Kind = code.StmtOther
	}
}

// panics returns the arguments of a call of the built-in panic.
func (l *lowerer) panics(e ast.Expr) ([]ast.Expr, bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok || id.Name != "panic" {
		return nil, false
	}
	if o := l.info.Uses[id]; o != nil && o.Parent() != types.Universe {
		return nil, false
	}
	return call.Args, true
}

// send keeps both sides of a send, which is no operator of other languages.
func (l *lowerer) send(s *ast.SendStmt) *code.Expr {
	return &code.Expr{Kind: code.Other, Text: "<-", Args: []*code.Expr{l.expr(s.Chan), l.expr(s.Value)}, Span: l.span(s)}
}

// ifStmt: "else if" is an If inside Else, in a block where it has an init statement of its own.
func (l *lowerer) ifStmt(s *ast.IfStmt, out *code.Stmt) []*code.Stmt {
	init := l.optional(s.Init)
	out.Kind, out.Cond, out.Body = code.StmtIf, l.expr(s.Cond), l.stmts(s.Body.List)
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		out.Else = l.stmts(e.List)
	case nil:
	default:
		out.Else = l.stmt(e)
	}
	return within(init, out)
}

// typeSwitch: what v := x.(type) binds is bound before the switch, since it is x in every arm.
func (l *lowerer) typeSwitch(s *ast.TypeSwitchStmt, out *code.Stmt) []*code.Stmt {
	init := l.optional(s.Init)
	out.Kind = code.StmtSwitch
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		out.Cond = l.expr(a.X)
	case *ast.AssignStmt:
		if len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			out.Cond = l.expr(a.Rhs[0])
			init = append(init, &code.Stmt{
				Kind: code.StmtAssign, Op: "=", Declares: true, Span: l.span(a),
				LHS: l.exprs(a.Lhs), Exprs: []*code.Expr{l.expr(a.Rhs[0])},
			})
		}
	}
	for _, c := range s.Body.List {
		cc, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		arm := l.arm(cc.Case, cc.Colon, cc.Body)
		arm.Default = cc.List == nil
		for _, t := range cc.List {
			l.anonymous(t)
			if id, ok := t.(*ast.Ident); ok && id.Name == "nil" {
				arm.Values = append(arm.Values, l.expr(t))
				continue
			}
			arm.Values = append(arm.Values, &code.Expr{
				Kind: code.Binding, Text: l.typeName(t), Sym: l.typeSym(t), Span: l.span(t),
			})
		}
		out.Cases = append(out.Cases, arm)
	}
	return within(init, out)
}

// cases lowers the arms of an expression switch or of a select.
func (l *lowerer) cases(body *ast.BlockStmt) []code.Case {
	var out []code.Case
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			arm := l.arm(c.Case, c.Colon, c.Body)
			arm.Default, arm.Values = c.List == nil, l.exprs(c.List)
			out = append(out, arm)
		case *ast.CommClause:
			out = append(out, l.comm(c))
		}
	}
	return out
}

// comm lowers an arm of a select. What it receives is bound at the start of the arm.
func (l *lowerer) comm(c *ast.CommClause) code.Case {
	arm := l.arm(c.Case, c.Colon, c.Body)
	arm.Default = c.Comm == nil
	var what *code.Expr
	switch s := c.Comm.(type) {
	case nil:
		return arm
	case *ast.ExprStmt:
		what = l.expr(s.X)
	case *ast.SendStmt:
		what = l.send(s)
	default:
		bound := l.stmt(s)
		arm.Body = append(bound, arm.Body...)
		if a, ok := s.(*ast.AssignStmt); ok && len(a.Rhs) == 1 {
			what = l.expr(a.Rhs[0])
		}
	}
	v := &code.Expr{Kind: code.Binding, Span: l.span(c.Comm)}
	if what != nil {
		v.Args = []*code.Expr{what}
	}
	arm.Values = []*code.Expr{v}
	return arm
}

// arm lowers what all kinds of cases share. The break that ends an arm says nothing and is dropped.
func (l *lowerer) arm(from, colon token.Pos, body []ast.Stmt) code.Case {
	arm := code.Case{Span: l.head(from, colon)}
	if n := len(body); n > 0 {
		if b, ok := body[n-1].(*ast.BranchStmt); ok && b.Label == nil {
			switch b.Tok {
			case token.FALLTHROUGH:
				arm.Falls = true
				body = body[:n-1]
			case token.BREAK:
				body = body[:n-1]
			}
		}
	}
	arm.Body = l.stmts(body)
	return arm
}

// head is the place of "case x:", cut to the keyword where the colon is missing.
func (l *lowerer) head(from, colon token.Pos) mcpaudit.Span {
	if !colon.IsValid() {
		return l.between(from, from+token.Pos(len("case")))
	}
	return l.between(from, colon+1)
}
