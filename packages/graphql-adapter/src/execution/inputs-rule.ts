import {
  type ArgumentNode,
  type ASTNode,
  type DirectiveNode,
  type FieldNode,
  type GraphQLArgument,
  GraphQLError,
  isInputType,
  isRequiredArgument,
  KnownArgumentNamesRule,
  ProvidedRequiredArgumentsRule,
  specifiedRules,
  typeFromAST,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
} from 'graphql'
import { type Fault, faultsOfLiteral, unknownName } from './input-faults.ts'

/** The rules of the specification, those about inputs in our own form: graphql-js' own messages repeat values. */
export const documentRules: readonly ValidationRule[] = [
  ...specifiedRules.filter(
    (rule) =>
      rule !== KnownArgumentNamesRule && rule !== ProvidedRequiredArgumentsRule && rule !== ValuesOfCorrectTypeRule,
  ),
  inputsRule,
]

/** Rejects arguments and literals that do not fit the schema, with the field at fault. */
function inputsRule(...[context]: Parameters<ValidationRule>): ReturnType<ValidationRule> {
  const options = { suggestions: !context.hideSuggestions }

  function checkArguments(node: FieldNode | DirectiveNode, known: readonly GraphQLArgument[]): void {
    const given = new Map(node.arguments?.map((argument) => [argument.name.value, argument]))
    for (const argument of known) {
      if (!isRequiredArgument(argument) || given.has(argument.name)) continue
      context.reportError(inputError({ field: argument.name, issue: 'is required' }, node))
    }
    const byName = new Map(known.map((argument) => [argument.name, argument]))
    for (const argument of node.arguments ?? []) checkArgument(argument, byName)
  }

  function checkArgument(node: ArgumentNode, known: ReadonlyMap<string, GraphQLArgument>): void {
    const name = node.name.value
    const argument = known.get(name)
    if (!argument) {
      const issue = unknownName(name, [...known.keys()], options)
      return context.reportError(inputError({ field: name, issue }, node))
    }
    for (const { fault, at } of faultsOfLiteral(node.value, argument.type, name, options)) {
      context.reportError(inputError(fault, at))
    }
  }

  return {
    Field(node) {
      const field = context.getFieldDef()
      if (field) checkArguments(node, field.args)
    },
    Directive(node) {
      const directive = context.getDirective()
      if (directive) checkArguments(node, directive.args)
    },
    VariableDefinition({ type: typeNode, defaultValue, variable }) {
      const type = typeFromAST(context.getSchema(), typeNode)
      if (!defaultValue || !isInputType(type)) return
      for (const { fault, at } of faultsOfLiteral(defaultValue, type, variable.name.value, options)) {
        context.reportError(inputError(fault, at))
      }
    },
  }
}

function inputError(fault: Fault, nodes: ASTNode): GraphQLError {
  return new GraphQLError(`${fault.field} ${fault.issue}`, { nodes, extensions: { fault } })
}
