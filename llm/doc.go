// Package llm asks a language model over HTTP: one question, one answer, no conversation.
// It has the protocols of OpenAI-compatible servers and of Anthropic, and knows nothing of
// facts.
package llm
