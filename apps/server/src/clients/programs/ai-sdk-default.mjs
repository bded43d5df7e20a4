import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { embed, generateText, isStepCount, streamText, tool } from 'ai'
import * as z from 'zod'

const { URL: url, KEY: apiKey } = process.env
const openai = createOpenAI({ baseURL: `${url}/openai/v1`, apiKey })
const anthropic = createAnthropic({ baseURL: `${url}/anthropic/v1`, apiKey })
const tools = {
  write_file: tool({
    inputSchema: z.object({ path: z.string(), content: z.string() }),
    execute: async ({ path, content }) => `wrote ${content} to ${path}`,
  }),
}
const results = {}
for (const [name, model] of Object.entries({ openai: openai('gpt-5'), anthropic: anthropic('claude-opus-5-5') })) {
  const { text } = await generateText({ model, prompt: 'Say four words' })
  const { textStream } = streamText({ model, prompt: 'Say four words' })
  let streamed = ''
  for await (const piece of textStream) streamed += piece
  const prompt = 'Create hello.txt with the text Hello there'
  const { steps, text: closing } = await generateText({ model, prompt, tools, stopWhen: isStepCount(3) })
  const written = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))
  results[name] = { text, streamed, written, closing }
}
const { embedding } = await embed({ model: openai.embedding('text-embedding-3-small'), value: 'rain' })
process.stdout.write(JSON.stringify({ ...results, dimensions: embedding.length }))
