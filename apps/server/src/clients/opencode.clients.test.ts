import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentSuite, patch } from '../testing/clients/agent-suite.ts'

agentSuite('opencode', {
  run(prompt, { url, apiKey }, { folder }) {
    const options = { baseURL: `${url}/openai/v1`, apiKey }
    const models = { 'gpt-5': { name: 'GPT-5' } }
    const fairlead = { npm: '@ai-sdk/openai-compatible', name: 'Fairlead', options, models }
    const config = { $schema: 'https://opencode.ai/config.json', provider: { fairlead } }
    writeFileSync(join(folder, 'opencode.json'), JSON.stringify(config))
    return {
      program: `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`,
      args: ['run', '-m', 'fairlead/gpt-5', prompt],
      environment: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    }
  },
  call: () => ({ name: 'apply_patch', input: { patchText: patch } }),
})
