import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { FairleadError } from '@fairlead/core'
import type { PageDescription } from '@fairlead/rest-adapter'
import type { Request, RequestHandler, Response } from 'express'
import type { Pages } from './pages.ts'

/** The path of the dashboard. */
export const dashboardPath = '/dashboard'

/** Where `npm start` and `npm run build` put the built dashboard. */
export const builtDashboard = join(import.meta.dirname, '../../dashboard/dist')

/** Everything is loaded from this server. Scripts cannot turn text into HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const dashboardDescription: PageDescription = {
  operationId: 'dashboard',
  summary: 'Returns the dashboard as a web page.',
  description: 'The paths below it are its pages. Needs no credential: people log in there. Free of charge.',
  responses: { 200: { description: 'An HTML page.', content: { 'text/html': { schema: { type: 'string' } } } } },
}

/** The names that the build gives to files. Those in `assets` contain a hash of the content. */
const filePattern = /^(assets\/)?[\w-]+(\.[\w-]+)+$/
const year = 31_536_000

/** `GET /dashboard`: the built dashboard. Every path that is not a file is one of its pages. */
export function dashboardPages(root: string): Pages {
  return {
    [dashboardPath]: (request, response) => sendPage(root, request, response),
    [`${dashboardPath}/*`]: (request, response, next) => {
      const name = request.path.slice(dashboardPath.length + 1)
      if (name.startsWith('assets/') || existsSync(join(root, fileName(name)))) {
        return sendFile(root, name, request, response, next)
      }
      sendPage(root, request, response)
    },
  }
}

/** The name of a file of the build; for any other text, a name that none has. */
function fileName(name: string): string {
  return filePattern.test(name) ? name : 'none'
}

function sendFile(root: string, name: string, ...[request, response, next]: Parameters<RequestHandler>): void {
  const immutable = name.startsWith('assets/')
  const file = fileName(name)
  const compressed = request.acceptsEncodings('br') === 'br' && existsSync(join(root, `${file}.br`))
  if (compressed) response.set('Content-Encoding', 'br')
  const headers = {
    'Content-Security-Policy': policy,
    Vary: 'Accept-Encoding',
    'Cache-Control': immutable ? `public, max-age=${year}, immutable` : 'no-cache',
  }
  response.type(extname(file))
  response.sendFile(compressed ? `${file}.br` : file, { root, headers, cacheControl: false }, (error) => {
    if (error && !response.headersSent) {
      response.removeHeader('Content-Encoding')
      next(new FairleadError('NOT_FOUND', 'The dashboard has no such file.'))
    }
  })
}

/**
 * The addresses in the page are relative, so that it works behind a proxy that adds a path. They depend on the depth of the
 * requested path.
 */
function sendPage(root: string, { path }: Request, response: Response): void {
  const file = join(root, 'index.html')
  if (!existsSync(file)) {
    throw new FairleadError('NOT_FOUND', 'The dashboard is not built. Run "npm run build", or start with "npm start".')
  }
  const depth = path.slice(dashboardPath.length).split('/').length - 1
  const home = depth === 0 ? 'dashboard/' : depth === 1 ? './' : '../'.repeat(depth - 1)
  const html = readFileSync(file, 'utf8').replaceAll('="./', `="${home}`)
  response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' }).type('html').send(html)
}
