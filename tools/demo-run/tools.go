package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
)

func use(name string, input any, run func(*session) outcome) block {
	text := fmt.Sprintf("%s %v", name, input)
	return block{
		content: toolUse{Type: "tool_use", Name: name, Input: input},
		tokens:  tokens(text) + 12,
		call:    &call{run: run},
	}
}

// then adds an action of the client after the result.
func (b block) then(after func(*session)) block {
	b.call.after = after
	return b
}

func ptr[T any](v T) *T { return &v }

type readInput struct {
	Path string `json:"file_path"`
}

// read shows a file with its line numbers.
func read(name string) block {
	return use("Read", readInput{"/home/dev/billing/" + name}, func(s *session) outcome {
		text := s.read(name)
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		var out strings.Builder
		for i, line := range lines {
			fmt.Fprintf(&out, "%6d→%s\n", i+1, line)
		}
		return outcome{
			text: strings.TrimSuffix(out.String(), "\n"),
			twin: map[string]any{"type": "text", "file": map[string]any{
				"filePath": s.project.abs(name), "content": text,
				"numLines": len(lines), "startLine": 1, "totalLines": len(lines),
			}},
			took: 60 * time.Millisecond,
		}
	})
}

// misread asks for a missing file.
func misread(name string) block {
	return use("Read", readInput{"/home/dev/billing/" + name}, func(s *session) outcome {
		if _, err := s.project.read(name); err == nil {
			s.fail("misread: %s is there", name)
		}
		return outcome{
			text:   "<tool_use_error>File does not exist.</tool_use_error>",
			twin:   "Error: File does not exist.",
			failed: ptr(true),
			took:   30 * time.Millisecond,
		}
	})
}

type globInput struct {
	Pattern string `json:"pattern"`
}

// glob lists files below a folder.
func glob(folder, pattern string) block {
	return use("Glob", globInput{folder + "/" + pattern}, func(s *session) outcome {
		var names []string
		for _, name := range s.project.names() {
			if ok, _ := path.Match(folder+"/"+pattern, name); ok {
				names = append(names, s.project.abs(name))
			}
		}
		return outcome{
			text: strings.Join(names, "\n"),
			twin: map[string]any{"filenames": names, "durationMs": 6, "numFiles": len(names), "truncated": false},
			took: 40 * time.Millisecond,
		}
	})
}

type grepInput struct {
	Pattern string `json:"pattern"`
	Mode    string `json:"output_mode"`
	Numbers bool   `json:"-n"`
}

// grep searches the whole project.
func grep(pattern string) block {
	return use("Grep", grepInput{pattern, "content", true}, func(s *session) outcome {
		re, err := regexp.Compile(pattern)
		if err != nil {
			s.fail("grep: %w", err)
			return outcome{}
		}
		var hits []string
		for _, name := range s.project.names() {
			for i, line := range strings.Split(s.read(name), "\n") {
				if re.MatchString(line) {
					hits = append(hits, fmt.Sprintf("%s:%d:%s", name, i+1, line))
				}
			}
		}
		text := strings.Join(hits, "\n")
		return outcome{
			text: text,
			twin: map[string]any{"mode": "content", "numFiles": 0, "filenames": []string{}, "content": text, "numLines": len(hits)},
			took: 90 * time.Millisecond,
		}
	})
}

type bashInput struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// bash runs a command that prints output.
func bash(command, description, output string) block {
	return shell(command, description, func(s *session) outcome {
		text := s.secrets.Replace(strings.TrimSuffix(output, "\n"))
		return outcome{
			text:   text,
			twin:   map[string]any{"stdout": text, "stderr": "", "interrupted": false, "isImage": false},
			failed: ptr(false),
		}
	})
}

// bashFails runs a command that ends with an exit code other than 0.
func bashFails(command, description string, code int, output string) block {
	return shell(command, description, func(s *session) outcome {
		text := fmt.Sprintf("Exit code %d\n%s", code, s.secrets.Replace(strings.TrimSuffix(output, "\n")))
		return outcome{text: text, twin: "Error: " + text, failed: ptr(true)}
	})
}

func shell(command, description string, run func(*session) outcome) block {
	command = fill(fakeSecrets()).Replace(command)
	return use("Bash", bashInput{command, description}, func(s *session) outcome {
		o := run(s)
		if len(o.text) > 30_000 {
			s.fail("%q prints %d characters; the client cuts at 30000", command, len(o.text))
		}
		o.took = time.Duration(400+len(o.text)/8) * time.Millisecond
		return o
	})
}

type taskInput struct {
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
	Agent       string `json:"subagent_type"`
}

// task gives a question to a sub-agent. The function tell adds the sub-agent's conversation. Its records are
// between the call and its result.
func task(description, prompt, answer string, tell func(*session)) block {
	return use("Task", taskInput{description, prompt, "Explore"}, func(s *session) outcome {
		outer, began := s.chain, s.now
		s.chain = chain{
			agentID: s.dice.letters("0123456789abcdef", 7),
			model:   agentModel,
			window:  window{base: 8_431, cached: 6_950},
		}
		s.prompt(prompt)
		tell(s)
		s.reply(say(answer))
		agent := s.chain
		s.chain = outer
		return outcome{
			blocks: []textBlock{{"text", answer}, {"text", fmt.Sprintf("agentId: %s (for resuming to continue this agent's work if needed)", agent.agentID)}},
			twin: map[string]any{
				"status": "completed", "prompt": prompt, "agentId": agent.agentID,
				"content":           []textBlock{{"text", answer}},
				"totalDurationMs":   s.now.Sub(began).Milliseconds(),
				"totalTokens":       agent.window.size(),
				"totalToolUseCount": agent.tools,
			},
		}
	})
}
