// Package code is the neutral form of source code that every language is lowered to: just enough statements and
// expressions to follow a method name from where a message is read to where it is answered. It knows no grammar
// and no protocol. The readers in analyzers/read interpret it.
//
// Lowering rules that every language keeps:
//
//   - Parentheses, type assertions, casts, non-null marks and the like vanish; the operand stays.
//   - Optional chaining (a?.b) is a Member like any other.
//   - Operators are spelt as in C: == != && || ! < > + and, further, "in", "not in", "??", "instanceof".
//     JavaScript === and Python "is" and "==" are "=="; "and", "or", "not" are && || !.
//   - The receiver inside a method (this, self, the receiver variable of a Go method) is the Name "this".
//   - A for/while of any kind is a Loop whose Body is run; what it iterates over or tests is Cond.
//   - What cannot be lowered is an Other expression or statement that keeps its parts as Args or Body, so that
//     nothing inside is lost. It is never dropped.
//   - Every node has the byte span of its source.
package code

import "github.com/mcpaudit/mcpaudit"

// File is one lowered source file.
type File struct {
	Path string // slash-separated, relative to the root of the scan
	Lang string // "typescript", "javascript", "python", "go" ...
	Src  []byte
	// Pkg is the unit in which names are visible without an import: the import path of a typed Go package, the
	// folder of an untyped one, the path without extension of a Python or JavaScript module.
	Pkg     string
	Imports []Import
	Funcs   []*Func  // all functions and methods with a name, nested ones too, in source order
	Classes []*Class // classes, structs, interfaces, enums, in source order
	Top     []*Stmt  // what runs when the module is loaded, declarations with a value included
	Gaps    []mcpaudit.Gap
	Typed   bool // names were resolved by a type checker: Sym and Src can be trusted
}

// Import binds Local to Name of Module. Name is "*" for a whole module or namespace, "default" for the default
// export of an ES module. A re-export (export {x} from "./y") is an import too. Local is "" for a module that is
// loaded for its effects only.
type Import struct {
	Module, Name, Local string
	TypeOnly            bool
	Span                mcpaudit.Span
}

// Func is a function, a method, a lambda or an arrow function. An arrow function with an expression body has
// one Return statement.
type Func struct {
	Name       string
	Class      string // the class, receiver type or object it belongs to; "" for a plain function
	Sym        string // typed Go: "import/path.Name" or "import/path.Type.Name"; else ""
	Params     []Param
	Results    []string // the declared result types, where the language has them
	Body       []*Stmt
	Decorators []*Expr
	Async      bool
	File       *File
	Span       mcpaudit.Span // the whole declaration
	NameSpan   mcpaudit.Span // what to point at
}

// Param is one parameter. A destructured parameter has Fields, a rest parameter Rest. The receiver is not a
// parameter.
type Param struct {
	Name    string
	Type    string
	Default *Expr
	Fields  []Field // {a, b: c}: Key "a" Value Name(a), Key "b" Value Name(c)
	Rest    bool
}

// Class is a class, struct, interface or enum.
type Class struct {
	Name       string
	Sym        string
	Bases      []*Expr
	Fields     []ClassField
	Decorators []*Expr
	Enum       bool
	Span       mcpaudit.Span
	File       *File
}

// ClassField is a field, a class attribute or an enum member. JSON is its name on the wire where a tag or an
// alias says so; Drop says which zero values the encoder leaves out: "omitempty" (an empty map, nil, "", 0),
// "omitzero" (an empty struct too), or "".
type ClassField struct {
	Name, Type, JSON, Drop string
	Embedded               bool
	Value                  *Expr
	Span                   mcpaudit.Span
}

// StmtKind is the kind of a statement; the comment names the members of Stmt that it uses.
type StmtKind int

const (
	StmtOther  StmtKind = iota // Exprs, Body
	StmtExpr                   // Exprs[0]
	StmtAssign                 // LHS, Op, Exprs; Declares for let, const, var, :=
	StmtReturn                 // Exprs: none, one, or several (Go)
	StmtThrow                  // Exprs: throw, raise, panic
	StmtIf                     // Cond, Body, Else
	StmtSwitch                 // Cond is the subject (nil for "switch true"), Cases
	StmtLoop                   // Cond (may be nil), LHS what it binds, Body
	StmtTry                    // Body, Cases (one per handler, Values the caught types), Else the finally block
	StmtBlock                  // Exprs what it opens, Body (with, using, bare blocks)
	StmtFunc                   // Func, a declaration inside a body or at the top
	StmtClass                  // a class declared here; the Class is in File.Classes
	StmtBreak
	StmtContinue
	StmtDefer  // Exprs[0], run later: defer, go
	StmtDelete // Exprs: del x[y], delete x[y]
)

// Stmt is one statement.
type Stmt struct {
	Kind     StmtKind
	LHS      []*Expr
	Op       string // StmtAssign: "=", "+=", "||=" ...
	Exprs    []*Expr
	Declares bool
	Cond     *Expr
	Body     []*Stmt
	Else     []*Stmt
	Cases    []Case
	Func     *Func
	Span     mcpaudit.Span
}

// Case is one arm of a switch or match, or one handler of a try. "case a: case b: body" is one Case with two
// Values. Falls means that control runs on into the next arm. The break that ends an arm of a switch in JavaScript
// is not kept; a break in the middle of an arm is.
type Case struct {
	Values  []*Expr
	Guard   *Expr
	Default bool
	Falls   bool
	Body    []*Stmt
	Span    mcpaudit.Span // the head of the arm: "case 'x':", "default:"
}

// ExprKind is the kind of an expression; the comment names the members of Expr that it uses.
type ExprKind int

const (
	Other     ExprKind = iota // Args: the parts
	String                    // Text, decoded
	Number                    // Text
	Bool                      // Text "true" or "false"
	Null                      // null, None, nil
	Undefined                 // JavaScript's undefined and void 0
	Object                    // Fields; Type the class or type that the source names
	Array                     // Args; Type likewise; tuples and sets too
	Name                      // Text
	Member                    // X, Text
	Index                     // X, Args[0]
	Call                      // X, Args, Fields (keyword arguments); New for "new X(...)"
	Lambda                    // Func
	Binary                    // X, Text, Y
	Unary                     // Text, X
	Ternary                   // Args[0] ? Args[1] : Args[2]
	Await                     // X; yield and <-X too
	Spread                    // X
	Template                  // a string with holes: Args the holes, Text the literal text before the first hole
	Assign                    // an assignment used as an expression (:=, x = y inside a condition): X, Y
	Binding                   // a destructuring or match pattern: Fields or Args
)

// Expr is one expression.
type Expr struct {
	Kind   ExprKind
	Text   string
	X, Y   *Expr
	Args   []*Expr
	Fields []Field
	Func   *Func
	Type   string
	New    bool
	Sym    string // typed Go: what a Name or Member resolves to, spelt as Func.Sym; "import/path" for a package name
	Src    string // typed Go: the source of a constant that was folded into a String or Number
	Span   mcpaudit.Span
}

// Field is a member of an object literal, a keyword argument, or a part of a destructuring pattern. Key is nil
// for a spread, whose Value is then the operand. A method in an object literal has a Lambda value. Default is a
// destructuring default.
type Field struct {
	Key, Value, Default *Expr
}

// KeyText returns the text of a literal or plain key, or "".
func (f Field) KeyText() string {
	if f.Key != nil && (f.Key.Kind == String || f.Key.Kind == Name) {
		return f.Key.Text
	}
	return ""
}
