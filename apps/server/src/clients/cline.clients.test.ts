import { join } from 'node:path'
import { agentSuite, patch } from '../testing/clients/agent-suite.ts'

agentSuite('cline', {
  run(prompt, { url, apiKey }, { home }) {
    const data = join(home, 'data')
    const provider = 'openai-compatible'
    const settings = { provider, apiKey, model: 'gpt-5', baseUrl: `${url}/openai/v1` }
    const entry = { settings, updatedAt: '2026-11-28T00:00:00.000Z', tokenSource: 'manual' }
    return {
      program: `node_modules/@cline/cli-${process.platform}-${process.arch}/bin/cline`,
      args: ['--data-dir', data, '-P', provider, '--retries', '1', prompt],
      environment: {},
      homeFiles: {
        'data/settings/providers.json': JSON.stringify({ version: 1, modes: {}, providers: { [provider]: entry } }),
      },
    }
  },
  call: () => ({ name: 'apply_patch', input: { input: patch } }),
})
