import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/**
 * Starts nginx as a reverse proxy of servers that take turns, in one process, with persistent connections, no buffering, and
 * no access log. Resolves once it listens. It ends with this process.
 */
export async function runNginx(
  urls: readonly string[],
): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'fairlead-nginx-'))
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events { worker_connections 16384; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${name};`).join(' ')}
  upstream servers {
    ${urls.map((url) => `server ${new URL(url).host};`).join(' ')}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://servers;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_buffering off;
    }
  }
}
`,
  )
  const child = spawn('nginx', ['-e', 'stderr', '-p', directory, '-c', 'nginx.conf'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const remove = () => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
  process.on('exit', remove)
  child.on('exit', remove)
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error('nginx ended')
    await sleep(20)
  }
  return { port, child }
}

async function isListening(port: number): Promise<boolean> {
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
