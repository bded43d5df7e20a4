import { agentSuite } from '../testing/clients/agent-suite.ts'

agentSuite('qwen-code', {
  run: (prompt, { url, apiKey }) => ({
    program: 'node_modules/@qwen-code/qwen-code/cli-entry.js',
    args: ['--yolo', '--auth-type', 'openai', '-p', prompt],
    environment: { OPENAI_BASE_URL: `${url}/openai/v1`, OPENAI_API_KEY: apiKey, OPENAI_MODEL: 'gpt-4.1' },
  }),
  call: (folder) => ({ name: 'write_file', input: { file_path: `${folder}/hello.txt`, content: 'Hello there\n' } }),
})
