import { agentSuite } from '../testing/clients/agent-suite.ts'

const binary = `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`

agentSuite('claude-code', {
  run: (prompt, { url, apiKey }) => ({
    program: binary,
    args: ['-p', prompt, '--allowedTools', 'Write'],
    environment: { ANTHROPIC_BASE_URL: `${url}/anthropic`, ANTHROPIC_AUTH_TOKEN: apiKey },
  }),
  call: (folder) => ({ name: 'Write', input: { file_path: `${folder}/hello.txt`, content: 'Hello there\n' } }),
})
