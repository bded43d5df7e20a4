import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import * as z from 'zod'

const { URL: url, KEY: apiKey } = process.env
const writeFile = createTool({
  id: 'write_file',
  description: 'Writes a file.',
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => ({ result: `wrote ${content} to ${path}` }),
})
const model = { id: 'openai/gpt-5', url: `${url}/openai/v1`, apiKey }
const plain = new Agent({ id: 'plain', name: 'plain', instructions: 'Be brief.', model })
const agent = new Agent({
  id: 'writer',
  name: 'writer',
  instructions: 'Be brief.',
  model,
  tools: { write_file: writeFile },
})
const { text } = await plain.generate('Say four words')
const stream = await plain.stream('Say four words')
let streamed = ''
for await (const piece of stream.textStream) streamed += piece
const run = await agent.generate('Create hello.txt with the text Hello there')
const written = run.toolResults.map(({ payload, result }) => (payload?.result ?? result).result)
process.stdout.write(JSON.stringify({ openai: { text, streamed, written, closing: run.text } }))
