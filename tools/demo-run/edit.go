package main

import (
	"fmt"
	"strings"
	"time"
)

type editInput struct {
	ReplaceAll bool   `json:"replace_all"`
	Path       string `json:"file_path"`
	Old        string `json:"old_string"`
	New        string `json:"new_string"`
}

// edit replaces one passage of a file.
func edit(name, old, new string) block {
	return use("Edit", editInput{false, "/home/dev/billing/" + name, old, new}, func(s *session) outcome {
		original := s.read(name)
		if n := strings.Count(original, old); n != 1 {
			s.fail("edit %s: the passage %.40q occurs %d times", name, old, n)
			return outcome{}
		}
		s.project.files[name] = strings.Replace(original, old, new, 1)
		return outcome{
			text: fmt.Sprintf("The file %s has been updated successfully.", s.project.abs(name)),
			twin: map[string]any{
				"filePath": s.project.abs(name), "oldString": old, "newString": new,
				"originalFile": original, "structuredPatch": []hunk{patch(original, old, new)},
				"userModified": false, "replaceAll": false,
			},
			took: 110 * time.Millisecond,
		}
	})
}

type writeInput struct {
	Path    string `json:"file_path"`
	Content string `json:"content"`
}

// write makes a new file.
func write(name, content string) block {
	return use("Write", writeInput{"/home/dev/billing/" + name, content}, func(s *session) outcome {
		s.project.files[name] = content
		return outcome{
			text: fmt.Sprintf("File created successfully at: %s", s.project.abs(name)),
			twin: map[string]any{
				"type": "create", "filePath": s.project.abs(name), "content": content,
				"structuredPatch": []hunk{}, "originalFile": nil,
			},
			took: 90 * time.Millisecond,
		}
	})
}

type hunk struct {
	OldStart int      `json:"oldStart"`
	OldLines int      `json:"oldLines"`
	NewStart int      `json:"newStart"`
	NewLines int      `json:"newLines"`
	Lines    []string `json:"lines"`
}

// patch returns the edit as one hunk of whole lines, without context.
func patch(original, old, new string) hunk {
	at := strings.Index(original, old)
	start := strings.LastIndexByte(original[:at], '\n') + 1
	end := len(original)
	if i := strings.IndexByte(original[at+len(old):], '\n'); i >= 0 {
		end = at + len(old) + i
	}
	was := strings.Split(original[start:end], "\n")
	is := strings.Split(original[start:at]+new+original[at+len(old):end], "\n")
	line := strings.Count(original[:start], "\n") + 1
	h := hunk{OldStart: line, OldLines: len(was), NewStart: line, NewLines: len(is)}
	for _, l := range was {
		h.Lines = append(h.Lines, "-"+l)
	}
	for _, l := range is {
		h.Lines = append(h.Lines, "+"+l)
	}
	return h
}
