import { join } from 'node:path'
import { agentSuite } from '../testing/clients/agent-suite.ts'

agentSuite('continue', {
  run(prompt, { url, apiKey }, { home }) {
    const model = { name: 'Fairlead', provider: 'openai', model: 'gpt-5', apiBase: `${url}/openai/v1`, apiKey }
    return {
      program: 'node_modules/@continuedev/cli/dist/cn.js',
      args: ['--config', join(home, 'config.yaml'), '--auto', '-p', prompt],
      environment: { CONTINUE_TELEMETRY_ENABLED: '0' },
      // JSON is YAML.
      homeFiles: {
        'config.yaml': JSON.stringify({ name: 'Fairlead', version: '1.0.0', schema: 'v1', models: [model] }),
      },
    }
  },
  call: (folder) => ({ name: 'Write', input: { filepath: `${folder}/hello.txt`, content: 'Hello there\n' } }),
})
