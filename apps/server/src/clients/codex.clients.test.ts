import { agentSuite, patch } from '../testing/clients/agent-suite.ts'

agentSuite('codex', {
  run(prompt, { url, apiKey }) {
    const provider = `{ name = "Fairlead", base_url = "${url}/openai/v1", env_key = "FAIRLEAD_API_KEY", wire_api = "responses" }`
    const settings = ['-c', 'model_provider=fairlead', '-c', `model_providers.fairlead=${provider}`]
    return {
      program: 'node_modules/@openai/codex/bin/codex.js',
      args: ['exec', '--skip-git-repo-check', '-s', 'workspace-write', ...settings, prompt],
      environment: { FAIRLEAD_API_KEY: apiKey },
    }
  },
  call: () => ({
    name: 'exec',
    namespace: 'functions',
    input: `text(await tools.apply_patch(${JSON.stringify(patch)}))`,
  }),
})
