import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { CommandError } from '../command-error.ts'

const files: Readonly<Record<string, string>> = {
  'fairlead.config.ts': `// Providers, routes and limits. Every field is optional.
export default {
  // Without a list, the providers are the embedded one and those whose API keys are in the environment.
  // providers: ['local', { use: 'openai', id: 'openai' }],

  // A name of your own for several models. If the first fails, the next one answers.
  routes: {
    writer: { targets: ['local/scribe'] },
  },

  // How many requests per minute an account may send, by tier.
  // rateLimits: { requestsPerMinute: { free: 60 } },
}
`,
  '.env': `# Variables of the service. Those that are set outside of this file win.
# PORT=8080
# HOST=127.0.0.1
# FAIRLEAD_DATA_DIR=./data

# API keys enable providers.
# OPENAI_API_KEY=
# ANTHROPIC_API_KEY=

# Whether anyone may sign up.
FAIRLEAD_SIGNUP=off
`,
  'compose.yaml': `services:
  fairlead:
    image: node:24-slim
    command: npx --yes fairlead --host 0.0.0.0 --port 8080 --data /data
    working_dir: /app
    env_file: .env
    volumes:
      - ./fairlead.config.ts:/app/fairlead.config.ts:ro
      - data:/data
    ports:
      # Only this machine can connect. Put a proxy with TLS in front of it for others.
      - 127.0.0.1:8080:8080
    restart: unless-stopped

volumes:
  data:
`,
}

export function initCommand(): Command {
  return new Command('init')
    .description('write fairlead.config.ts, .env and compose.yaml, with comments, to this folder')
    .option('--force', 'overwrite these files')
    .action(({ force }: { readonly force?: true }) => {
      const existing = Object.keys(files).filter((name) => existsSync(resolve(name)))
      if (existing.length > 0 && !force) {
        throw new CommandError(
          `These files exist already: ${existing.join(', ')}. Move them away, or overwrite them with --force.`,
        )
      }
      // The file of variables will hold API keys.
      for (const [name, text] of Object.entries(files))
        writeFileSync(resolve(name), text, { mode: name === '.env' ? 0o600 : 0o644 })
      console.log(`Wrote ${Object.keys(files).join(', ')}. Start the service with "npx fairlead".`)
    })
}
