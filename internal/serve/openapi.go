package serve

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// openAPI describes the HTTP interface, by OpenAPI 3.1.
//
//go:embed openapi.json
var openAPI string

// apiView is the page of the HTTP interface: what openapi.json says, for people.
type apiView struct {
	About string
	Calls []apiCall
}

// apiCall is one call.
type apiCall struct {
	Method, Path, Summary, Try string
	Parameters                 []apiParameter
}

type apiParameter struct{ Name, Where, About string }

// readAPI reads the description.
var readAPI = func() *apiView {
	var d struct {
		Info  struct{ Description string }
		Paths map[string]map[string]struct {
			Summary    string
			Try        string `json:"x-try"`
			Order      int    `json:"x-order"`
			Parameters []struct {
				Ref         string `json:"$ref"`
				Name, In    string
				Description string
			}
		}
		Components struct {
			Parameters map[string]struct{ Name, In, Description string }
		}
	}
	if err := json.Unmarshal([]byte(openAPI), &d); err != nil {
		panic(fmt.Sprintf("openapi.json: %v", err)) // it is part of the program
	}
	v := &apiView{About: d.Info.Description}
	order := map[string]int{}
	for path, calls := range d.Paths {
		for method, c := range calls {
			call := apiCall{Method: strings.ToUpper(method), Path: path, Summary: c.Summary, Try: c.Try}
			for _, p := range c.Parameters {
				if shared, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
					s := d.Components.Parameters[shared]
					p.Name, p.In, p.Description = s.Name, s.In, s.Description
				}
				call.Parameters = append(call.Parameters, apiParameter{p.Name, p.In, p.Description})
			}
			order[call.Method+path] = c.Order
			v.Calls = append(v.Calls, call)
		}
	}
	slices.SortFunc(v.Calls, func(x, y apiCall) int { return order[x.Method+x.Path] - order[y.Method+y.Path] })
	return v
}()

// apiPage shows the HTTP interface to people.
func (v *Server) apiPage(*http.Request) (string, any, error) { return "HTTP interface", readAPI, nil }
