import { GraphQLError, isIntrospectionType, type ValidationRule } from 'graphql'

const most = 5

/**
 * Refuses to tell of the schema many times over, which the cost of an operation does not count: all types with their
 * fields, under fifty aliases, are 24 MB.
 */
export const maxIntrospectionRule: ValidationRule = (context) => {
  let count = 0
  const refuse = (reason: string) => context.reportError(new GraphQLError(`The document ${reason}.`))
  return {
    Field({ name, alias }) {
      const parent = context.getParentType()
      if (alias && parent && isIntrospectionType(parent)) refuse('has aliases in what it asks of the schema')
      if (name.value !== '__schema' && name.value !== '__type') return
      count += 1
      if (count === most + 1) refuse(`asks for the schema more than ${most} times`)
    },
  }
}
