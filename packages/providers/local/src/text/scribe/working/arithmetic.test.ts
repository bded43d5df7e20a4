import { describe, expect, test } from 'vitest'
import { calculated } from './arithmetic.ts'

describe('calculated', () => {
  test.each([
    ['2+2?', '2+2 = 4'],
    ['What is 17 * 23?', '17 * 23 = 391'],
    ['please calculate 7 times 6', '7 times 6 = 42'],
    ['how much is 1,200 + 300', '1,200 + 300 = 1500'],
    ['what is 15% of 80', '15% of 80 = 12'],
    ['12 divided by 8', '12 divided by 8 = 1.5'],
    ['what is the square root of 144', 'the square root of 144 = 12'],
    ['5 squared plus 1', '5 squared plus 1 = 26'],
    ['2 + 3 * 4 - 1', '2 + 3 * 4 - 1 = 13'],
    ['-(2 + 3) * 2', '-(2 + 3) * 2 = -10'],
    ['-2^2', '-2^2 = -4'],
    ['2^3^2', '2^3^2 = 512'],
    ['0.1 + 0.2', '0.1 + 0.2 = 0.3'],
    ['2^100', '2^100 = about 1.26765060022823e+30'],
    ['1/0', '1/0 has no result that is a finite number.'],
  ])('calculated answers %s', (prompt, answer) => expect(calculated(prompt)).toBe(answer))

  test.each([
    '2026-11-28',
    '555-123-4567',
    '24/12/2026',
    'what is 17',
    '100 - 10%',
    '2 +',
    '(2 + 3',
    '1 2 + 3',
    'what is love',
    `${'('.repeat(60)}1+1${')'.repeat(60)}`,
    '-'.repeat(100) + '1+1',
  ])('calculated takes %s for no expression', (prompt) => expect(calculated(prompt)).toBeUndefined())
})
