import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { chatCompletion, reportUsage } from './report-usage.ts'
import { upstreamUrl } from './upstream-url.ts'

/** nginx as a reverse proxy in one process, with persistent connections to the upstream, no buffering, and no access log. */
const port = await freePort()
const directory = mkdtempSync(join(tmpdir(), 'fairlead-nginx-'))
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
writeFileSync(
  join(directory, 'nginx.conf'),
  `daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${name};`).join(' ')}
  upstream model {
    server ${new URL(upstreamUrl).host};
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://model;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_buffering off;
    }
  }
}
`,
)
const nginx = spawn('nginx', ['-e', 'stderr', '-p', directory, '-c', 'nginx.conf'], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
nginx.on('exit', (code) => process.exit(code ?? 1))
process.on('exit', () => {
  nginx.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})
while (!(await isListening())) await sleep(20)
reportUsage(port, chatCompletion(), nginx.pid)

async function isListening(): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
