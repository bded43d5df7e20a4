/** What the home page has above the text of `docs/README.md`. */
export const home = {
  layout: 'home',
  hero: {
    name: 'Fairlead',
    text: 'One service, and one library, in front of AI models',
    tagline:
      'OpenAI, Anthropic, Google, Ollama and embedded models behind one API key, with quotas, failover, usage records, webhooks, and a dashboard.',
    actions: [
      { theme: 'brand', text: 'Get started', link: '/getting-started' },
      { theme: 'alt', text: 'From the first key to the first chart', link: '/tutorials/first-chart' },
    ],
  },
  features: [
    {
      title: 'Call it',
      details: 'Send requests over REST or GraphQL, or with the clients of OpenAI and Anthropic.',
      link: '/generate-text',
      linkText: 'Generate text',
    },
    {
      title: 'Embed it',
      details: 'Call the same operations as methods of a TypeScript library, without a server.',
      link: '/embedding',
      linkText: 'Use the library',
    },
    {
      title: 'Run it',
      details: 'Start the service, and set up providers, routes, accounts, and quotas.',
      link: '/running',
      linkText: 'Run the service',
    },
    {
      title: 'Extend it',
      details: 'Write a provider, or add operations and features of your own.',
      link: '/tutorials/write-a-provider',
      linkText: 'Write a provider',
    },
  ],
}
