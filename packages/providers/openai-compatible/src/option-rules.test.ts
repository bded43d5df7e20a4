import { optionRulesSuite } from '@fairlead/testing/suites'
import { describe } from 'vitest'
import { optionRules } from './option-rules.ts'

describe('the table of options', () => {
  optionRulesSuite(optionRules, ['openai-chat', 'openai-responses'])
})
