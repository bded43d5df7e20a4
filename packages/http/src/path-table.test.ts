import { describe, expect, test } from 'vitest'
import { PathTable } from './path-table.ts'

function createTable(...paths: readonly string[]): PathTable<string> {
  const table = new PathTable<string>()
  for (const path of paths) table.at(path, () => path)
  return table
}

const table = createTable(
  '/',
  '/models',
  '/models/{id}',
  '/models/{id}/prices',
  '/images/{id}',
  '/images/{id}.png',
  '/v1/models/{+id}',
)

describe('a path table', () => {
  test.each([
    ['/', '/', {}],
    ['/models', '/models', {}],
    ['/models/a', '/models/{id}', { id: 'a' }],
    ['/models/a%2Fb', '/models/{id}', { id: 'a/b' }],
    ['/models/a/prices', '/models/{id}/prices', { id: 'a' }],
    ['/images/img_1.png', '/images/{id}.png', { id: 'img_1' }],
    ['/images/img_1', '/images/{id}', { id: 'img_1' }],
    ['/images/a.png.png', '/images/{id}.png', { id: 'a.png' }],
    ['/v1/models/a/b', '/v1/models/{+id}', { id: 'a/b' }],
    ['/v1/models/a%2Fb', '/v1/models/{+id}', { id: 'a/b' }],
  ])('a path table finds %s', (path, entry, parameters) => {
    expect(table.find(path)).toEqual({ entry, parameters })
  })

  test.each([
    '//',
    '*',
    'models',
    '//models',
    '/models/',
    '/Models',
    '/models/a/',
    '/models/a/b',
    '/models/%',
    '/images/.png',
    '/v1',
    '/v1/models',
    '/v1/models/',
    '/v1/models/%E0%A4%A',
    '/toString',
    '/__proto__',
  ])('a path table does not find %j', (path) => {
    expect(table.find(path)).toBeUndefined()
  })

  test('a path table has one entry for a path, however often it is added', () => {
    const one = createTable('/models')
    expect(one.at('/models', () => 'another')).toBe('/models')
  })
})
