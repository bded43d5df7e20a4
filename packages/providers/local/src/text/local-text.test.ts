import { ProviderError } from '@fairlead/core/provider'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileText } from '../testing/hostile-text.ts'
import { textRequest } from '../testing/text-request.ts'
import { localText } from './local-text.ts'

const call = { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY, requestId: 'req_1' }

const words = [
  'list of ',
  'ideas for ',
  'poem about ',
  'translate ',
  'reply: x\n',
  'tool_call: a {"b": [1',
  '}',
  'next:\n',
  'how many words in ',
  'say ',
  'extract the dates: ',
  'what is 2',
  'JSON with name and age: ',
]

test.each(['scribe', 'mirror'])('%s fails on no hostile prompt but as its script says', async (model) => {
  const { generateText } = localText({ delay: async () => {} })
  await fc.assert(
    fc.asyncProperty(hostileText(words), async (prompt) => {
      const answer = await generateText(textRequest(model, prompt, { maxTokens: 50 }), call).catch(scriptedFailure)
      expect(answer).toBeDefined()
    }),
    { examples: [['a list of Constructor']], seed: 15 },
  )
})

/** A script may ask for a failure; any other error is a bug. */
function scriptedFailure(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  throw error
}
