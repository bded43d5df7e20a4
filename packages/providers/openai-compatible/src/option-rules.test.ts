import { optionRulesSuite } from '@fairlead/core/testing'
import { describe } from 'vitest'
import { optionRules } from './option-rules.ts'

describe('the table of options', () => {
  optionRulesSuite(optionRules, ['openai-chat', 'openai-responses'])
})
