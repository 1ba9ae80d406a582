package archtest

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// commentsBeginWithName reports exported identifiers of importable packages whose comments do not begin with their
// names. In a group of constants or variables, a comment on the group or on the line is enough. Common methods
// such as String need no comment.
func commentsBeginWithName(t *tree) (problems []string) {
	for _, f := range t.files {
		if f.ast.Name.Name == "main" {
			continue
		}
		for _, d := range f.ast.Decls {
			for _, id := range undocumented(d) {
				problems = append(problems, f.at(id)+": "+id.Name+" has no comment that begins with its name")
			}
		}
	}
	return problems
}

func undocumented(d ast.Decl) (ids []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		known := d.Recv != nil && d.Doc == nil && slices.Contains([]string{"Error", "String", "Unwrap"}, d.Name.Name)
		if d.Name.IsExported() && exportedReceiver(d) && !known && !begins(d.Doc, d.Name.Name) {
			ids = append(ids, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() && !begins(spec.Doc, spec.Name.Name) && !begins(d.Doc, spec.Name.Name) {
					ids = append(ids, spec.Name)
				}
			case *ast.ValueSpec:
				grouped := d.Lparen != token.NoPos && (d.Doc != nil || spec.Comment != nil)
				for _, id := range spec.Names {
					if id.IsExported() && !grouped && !begins(spec.Doc, id.Name) && !begins(d.Doc, id.Name) {
						ids = append(ids, id)
					}
				}
			}
		}
	}
	return ids
}

// exportedReceiver reports whether d is a function or a method of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	e := d.Recv.List[0].Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	switch generic := e.(type) {
	case *ast.IndexExpr:
		e = generic.X
	case *ast.IndexListExpr:
		e = generic.X
	}
	id, ok := e.(*ast.Ident)
	return ok && id.IsExported()
}

// begins reports whether a comment begins with a name, or with an article and the name.
func begins(doc *ast.CommentGroup, name string) bool {
	words := strings.Fields(doc.Text())
	if len(words) > 1 && (words[0] == "A" || words[0] == "An" || words[0] == "The") {
		words = words[1:]
	}
	return len(words) > 0 && strings.TrimRight(words[0], ",.:;") == name
}
