import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { FairleadError } from '@fairlead/core'
import { staticDocument, type StaticDocument } from '@fairlead/http'
import type { Page, PageDescription } from '@fairlead/rest-adapter'
import { contentPolicy, htmlResponses, staticPage } from './pages.ts'

/** The path of the dashboard. */
export const dashboardPath = '/dashboard'

/**
 * A link to a page of the dashboard that logs in once, accepts an invitation, or verifies an email address. The token is in
 * the fragment, because browsers send it to no server.
 */
export function tokenLink(page: string, purpose: 'sign-in' | 'invitation' | 'verify-email', token: string): string {
  return `${page}#${purpose}=${token}`
}

const packedDashboard = join(import.meta.dirname, 'dashboard')

/** The built dashboard: in the published package beside this file, in a clone where `npm start` and `npm run build` put it. */
export const builtDashboard = existsSync(packedDashboard)
  ? packedDashboard
  : join(import.meta.dirname, '../../dashboard/dist')

/** The names that the build gives to files. Those in `assets` contain a hash of the content. */
const filePattern = /^(assets\/)?[\w-]+(\.[\w-]+)+$/

/** The types of the files, by their extensions. */
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Scripts cannot turn text into HTML. */
const policy = contentPolicy({
  'font-src': "'self'",
  'form-action': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
})

/** How people sign in. */
export interface SignInOptions {
  readonly passwords: boolean
  readonly signup: boolean
  /** The origin of the pages that can use passkeys. Undefined: there are none. */
  readonly passkeys?: string | undefined
  /** Whether the service mails links that verify an email address. Default: false. */
  readonly mail?: boolean
  /**
   * The name of the OpenID Connect provider for people, and the address that begins a sign-in. Undefined: there is
   * none.
   */
  readonly oidc?: { readonly name: string; readonly url: string } | undefined
}

const usual: SignInOptions = { passwords: true, signup: true }

/**
 * The page that a build leaves in place of `index.html` while it runs, and if it fails: it says so and reloads itself.
 */
const noticeName = 'unavailable.html'

/** Seconds after which the page reloads itself. */
const retryAfter = '2'

/** `GET /dashboard`: the built dashboard. Every path that is not a file is one of its pages. */
export function dashboardPages(root: string, signIn: SignInOptions = usual): readonly Page[] {
  const files = new Map<string, Page['respond']>()
  const methods = escapeAttribute(JSON.stringify(signIn))

  const respondWithPage: Page['respond'] = ({ request }) => {
    const notice = join(root, noticeName)
    const isNotice = !existsSync(join(root, 'index.html')) && existsSync(notice)
    return {
      status: isNotice ? 503 : 200,
      headers: {
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-cache',
        'Content-Type': 'text/html; charset=utf-8',
        ...(isNotice && { 'Retry-After': retryAfter }),
      },
      body: isNotice
        ? readFileSync(notice, 'utf8')
        : htmlAt(request.pathname, root).replace(signInMeta, () => `${signInMeta} content="${methods}"`),
    }
  }

  const respondWithFile: Page['respond'] = (exchange, { name = '' }) => {
    const file = join(root, name)
    if (filePattern.test(name) && existsSync(file)) {
      const respond = files.get(name) ?? staticPage(fileHeaders(name), () => loadFile(file))
      files.set(name, respond)
      return respond(exchange, {})
    }
    if (name.startsWith('assets/')) throw new FairleadError('NOT_FOUND', 'The dashboard has no such file.')
    return respondWithPage(exchange, {})
  }

  return [
    { path: dashboardPath, description, respond: respondWithPage },
    { path: `${dashboardPath}/`, respond: respondWithPage },
    { path: `${dashboardPath}/{+name}`, respond: respondWithFile },
  ]
}

/** The page has it without content. Its scripts read it before the log-in page shows. */
const signInMeta = '<meta name="fairlead-sign-in"'

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

const description: PageDescription = {
  operationId: 'dashboard',
  summary: 'Returns the dashboard as a web page.',
  description: 'The paths below it are its pages. Needs no credential: people log in there. Free of charge.',
  responses: {
    ...htmlResponses,
    503: { ...htmlResponses[200], description: 'A page that reloads itself until the dashboard is built.' },
  },
}

function fileHeaders(name: string) {
  return {
    'Content-Security-Policy': policy,
    'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}

/** The build has compressed most files already. */
async function loadFile(file: string): Promise<StaticDocument> {
  const compressed = `${file}.br`
  const brotli = existsSync(compressed) ? await readFile(compressed) : undefined
  return staticDocument(await readFile(file), contentTypes[extname(file)] ?? 'application/octet-stream', brotli)
}

/**
 * The addresses in the page are relative, so that it works behind a proxy that adds a path. They depend on the depth of the
 * requested path.
 */
function htmlAt(path: string, root: string): string {
  const file = join(root, 'index.html')
  if (!existsSync(file)) {
    throw new FairleadError('NOT_FOUND', 'The dashboard is not built. Run "npm run build", or start with "npm start".')
  }
  const depth = path.slice(dashboardPath.length).split('/').length - 1
  const home = depth === 0 ? 'dashboard/' : depth === 1 ? './' : '../'.repeat(depth - 1)
  return readFileSync(file, 'utf8').replaceAll('="./', `="${home}`)
}
