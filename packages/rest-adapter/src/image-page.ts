import { type FairleadCore, FairleadError } from '@fairlead/core'
import { isKept } from './is-kept.ts'
import type { Page, PageDescription } from './pages.ts'

const described: PageDescription = {
  operationId: 'image',
  summary: 'The PNG of a generated image, for whoever knows its address.',
  parameters: [{ name: 'id', in: 'path', description: 'The image’s id.', required: true, schema: { type: 'string' } }],
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  responses: {
    200: {
      description: 'The image. It never changes, so it may be kept for ever.',
      content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
    },
    304: { description: 'The image is the one that `If-None-Match` names.' },
  },
}

/** Serves kept images. One never changes, so it may be cached for ever; its id, which can't be guessed, is the permission. */
export function imagePage(core: FairleadCore): Page {
  return {
    path: '/images/{id}.png',
    description: described,
    async answer({ request }, { id = '' }) {
      const png = await core.openImage(id)
      if (!png) throw new FairleadError('NOT_FOUND', 'Image not found.')
      const etag = `"${id}"`
      const headers = {
        ETag: etag,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
      }
      if (isKept(request.headers['if-none-match'], etag)) return { status: 304, headers }
      return { status: 200, headers: { ...headers, 'Content-Type': 'image/png' }, body: png }
    },
  }
}
