package model_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentlens/internal/model"
)

// TestWarningCodes checks that the list is complete, short and in kebab-case.
func TestWarningCodes(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	codes, seen := model.WarningCodes(), map[string]bool{}
	if len(codes) > 25 {
		t.Errorf("%d codes, at most 25 are allowed", len(codes))
	}
	for i, c := range codes {
		if int(c.Code) != i || c.Code.String() != c.Name {
			t.Errorf("row %d holds code %d", i, c.Code)
		}
		if !kebab.MatchString(c.Name) || seen[c.Name] {
			t.Errorf("%q is not in kebab-case, or occurs twice", c.Name)
		}
		if seen[c.Name] = true; c.Help == "" || strings.Contains(c.Help, "\n") {
			t.Errorf("%s: the explanation must be one line", c.Name)
		}
	}
}

// TestWarningCodeLiterals finds codes that do not come from the list: conversions
// to WarningCode and literals where a code is expected.
func TestWarningCodeLiterals(t *testing.T) {
	eachFile(t, func(fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if bad := freeCode(n); bad != nil {
				t.Errorf("%s: use a warning code of internal/model", fset.Position(bad.Pos()))
			}
			return true
		})
	})
}

// TestFreeCode checks that the rule detects violations.
func TestFreeCode(t *testing.T) {
	for _, text := range []string{`model.WarningCode(3)`, `a.Warn(3, "m", "w")`, `d.Skip(7, "w", "m")`, `model.Warning{Code: 3}`} {
		e, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		ast.Inspect(e, func(n ast.Node) bool { found = found || freeCode(n) != nil; return true })
		if !found {
			t.Errorf("%s is accepted", text)
		}
	}
}

// freeCode returns the code in n that is not a constant of the list, or nil.
func freeCode(n ast.Node) ast.Expr {
	literal := func(e ast.Expr) ast.Expr {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.INT {
			return e
		}
		return nil
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || len(n.Args) == 0 {
			return nil
		}
		switch sel.Sel.Name {
		case "WarningCode":
			return n.Args[0]
		case "Warn", "Note", "Skip":
			return literal(n.Args[0])
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
			return literal(n.Value)
		}
	}
	return nil
}

// eachFile parses the Go files outside this package, tests included.
func eachFile(t *testing.T, visit func(*token.FileSet, *ast.File)) {
	t.Helper()
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == "model" || d.Name() == "testdata") {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, ".go") {
				return nil
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			visit(fset, f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
