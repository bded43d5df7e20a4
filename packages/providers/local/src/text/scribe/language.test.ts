import { describe, expect, test } from 'vitest'
import { isForeign } from './language.ts'

describe('isForeign', () => {
  test.each([
    'Schreib mir ein Gedicht',
    'Was ist die Hauptstadt von Frankreich?',
    'haiku über den Regen',
    'écris un poème sur la mer',
    'escribe un poema sobre el mar',
    'scrivi una poesia sul mare',
    'Escreva um poema sobre o mar',
    'schrijf een gedicht over de zee',
    'skriv en dikt om havet',
    'Napisz wiersz o morzu',
    'Bana deniz hakkında bir şiir yaz',
    'напиши стих о море',
    '写一首关于雨的诗',
  ])('isForeign tells %j', (request) => expect(isForeign(request)).toBe(true))

  test.each([
    'haiku rain',
    'birthday card grandma',
    'recipe tiramisu panna cotta',
    'plan weekend Rio de Janeiro',
    'bio José García Márquez painter',
    'newsletter May',
    'songs to die for',
    '🦊',
    '2+2?',
  ])('isForeign leaves %j alone', (request) => expect(isForeign(request)).toBe(false))
})
