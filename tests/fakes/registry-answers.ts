const official = (status: string) => ({
  'io.modelcontextprotocol.registry/official': {
    status,
    publishedAt: '2026-09-02T10:00:00Z',
    updatedAt: '2026-09-02T10:00:00Z',
    isLatest: true,
  },
});

/** A page as a registry answers GET /v0.1/servers (its openapi.yaml). */
export const registryPage = {
  servers: [
    {
      server: {
        $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
        name: 'com.notion/mcp',
        title: 'Notion',
        description: 'Official Notion MCP server',
        version: '1.0.1',
        remotes: [
          { type: 'streamable-http', url: 'https://mcp.notion.com/mcp' },
          { type: 'sse', url: 'https://mcp.notion.com/sse' },
        ],
      },
      _meta: official('active'),
    },
    {
      server: {
        name: 'io.github.github/github-mcp-server',
        description: 'Connect AI assistants to GitHub: repositories, issues, pull requests, workflows.',
        version: '0.13.0',
        repository: { url: 'https://github.com/github/github-mcp-server', source: 'github' },
        remotes: [
          {
            type: 'streamable-http',
            url: 'https://api.githubcopilot.com/mcp/',
            headers: [
              {
                name: 'Authorization',
                description: 'A personal access token as a bearer token',
                value: 'Bearer {github_token}',
                variables: {
                  github_token: { description: 'Personal access token', isRequired: true, isSecret: true },
                },
              },
            ],
          },
        ],
        packages: [
          {
            registryType: 'oci',
            identifier: 'ghcr.io/github/github-mcp-server:0.13.0',
            transport: { type: 'stdio' },
            runtimeHint: 'docker',
            environmentVariables: [
              {
                name: 'GITHUB_PERSONAL_ACCESS_TOKEN',
                description: 'Personal access token',
                isRequired: true,
                isSecret: true,
              },
            ],
          },
        ],
      },
      _meta: official('active'),
    },
    {
      server: {
        name: 'io.github.modelcontextprotocol/filesystem',
        description: 'Files in folders that you allow.',
        version: '1.0.2',
        packages: [
          {
            registryType: 'npm',
            registryBaseUrl: 'https://registry.npmjs.org',
            identifier: '@modelcontextprotocol/server-filesystem',
            version: '1.0.2',
            transport: { type: 'stdio' },
            packageArguments: [
              {
                type: 'positional',
                valueHint: 'target_dir',
                description: 'Path to access',
                isRequired: true,
              },
            ],
            environmentVariables: [{ name: 'LOG_LEVEL', description: 'Logging level', default: 'info' }],
          },
          {
            registryType: 'pypi',
            identifier: 'mcp-filesystem',
            version: '1.0.2',
            transport: { type: 'stdio' },
          },
          {
            registryType: 'oci',
            identifier: 'mcp/filesystem',
            version: '1.0.2',
            transport: { type: 'stdio' },
            packageArguments: [
              { type: 'positional', value: '/project' },
              { type: 'named', name: '--read-only' },
            ],
          },
        ],
      },
      _meta: official('deprecated'),
    },
    {
      server: {
        name: 'com.example/bundle',
        description: 'Only as a bundle.',
        version: '2.0.0',
        packages: [
          {
            registryType: 'mcpb',
            identifier: 'https://github.com/example/bundle/releases/download/v2/b.mcpb',
            transport: { type: 'stdio' },
          },
        ],
      },
      _meta: official('active'),
    },
  ],
  metadata: { nextCursor: 'com.pulsemcp.mirror/github:0.6.2', count: 4 },
};
