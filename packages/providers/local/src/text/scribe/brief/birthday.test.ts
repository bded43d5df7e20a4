import { describe, expect, test } from 'vitest'
import { findBirthday } from './birthday.ts'

describe('findBirthday', () => {
  test.each([
    ['birthday invitation for my daughter Mia turning 6', 'Mia’s 6th birthday'],
    ['invitation for the birthday of Tom, who is 21', 'Tom’s birthday'],
    ['birthday party for Ana turning 33', 'Ana’s 33rd birthday'],
    ['birthday invitation for my son', undefined],
    ['invitation for Mia', undefined],
  ])('findBirthday reads %j', (instruction, birthday) => expect(findBirthday(instruction)).toBe(birthday))
})
