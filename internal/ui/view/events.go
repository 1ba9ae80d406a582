package view

import (
	"fmt"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
)

// This file describes the markers that state what a record lacks.

// eventMeans describes such a marker in one sentence, or returns "" for any other marker.
func eventMeans(m *model.Marker) string {
	says := map[model.MarkerKind]func(*model.Marker) string{
		model.BeginsMidway:   midwayMeans,
		model.UnrecordedEdit: fallMeans,
		model.ContextCleared: clearedMeans,
	}[m.Kind]
	if says == nil {
		return ""
	}
	return says(m)
}

// detail returns the value of a detail with the given key, or the zero T.
func detail[T any](m *model.Marker, key string) (value T) {
	for _, d := range m.Detail {
		if v, ok := d.Value.(T); ok && d.Key == key {
			return v
		}
	}
	return value
}

func midwayMeans(m *model.Marker) string {
	if n := detail[int64](m, "first_prompt"); n > 0 {
		return fmt.Sprintf(beginsMidwayTokens, kit.Figure(n))
	}
	return beginsMidway
}

func fallMeans(m *model.Marker) string {
	before, after := detail[int64](m, "before"), detail[int64](m, "after")
	if before <= after || after < 0 {
		return promptShrank
	}
	return fmt.Sprintf(promptShrankBy, kit.Figure(before-after))
}

func clearedMeans(m *model.Marker) string {
	if source := detail[string](m, "source"); source != "" {
		return contextClearedBy + strings.TrimPrefix(source, "SessionStart:")
	}
	return contextCleared
}
