package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"bgtrain/internal/near"
)

// Recipe returns the text of an embedded recipe by name; ok is false for a name that is
// not one of RecipeNames.
func Recipe(name string) (text []byte, ok bool) {
	text, err := files.ReadFile("recipes/" + name + ".yaml")
	return text, err == nil
}

// RecipeNames lists the embedded recipes.
func RecipeNames() []string { return names("recipes", ".yaml") }

// RecipeTitle is what an embedded recipe is, by the first sentence of its text.
func RecipeTitle(name string) string {
	text, _ := Recipe(name)
	first, _, _ := strings.Cut(string(text), "\n")
	first, _, _ = strings.Cut(first, ". ")
	return strings.TrimPrefix(strings.TrimPrefix(first, "# "), name+": ")
}

// ReadRecipe returns the text of a recipe: a file, or an embedded one by its name.
func ReadRecipe(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err == nil {
		return text, nil
	}
	if text, ok := Recipe(name); ok {
		return text, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w, and no embedded recipe has that name (%s)%s", err,
			strings.Join(RecipeNames(), ", "), near.Ask(name, "", RecipeNames()))
	}
	return nil, fmt.Errorf("read recipe: %w", err)
}

// IsEmbeddedRecipe reports whether ReadRecipe takes a name for an embedded recipe's.
func IsEmbeddedRecipe(name string) bool {
	info, err := os.Stat(name)
	_, ok := Recipe(name)
	return ok && (err != nil || info.IsDir())
}
