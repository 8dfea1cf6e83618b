//! A server on the Rust SDK: peer stdio | http PORT

use std::{env, time::Duration};

use rmcp::{
    ServerHandler, ServiceExt,
    handler::server::wrapper::Parameters,
    model::{Implementation, ServerCapabilities, ServerConfig},
    tool, tool_handler, tool_router,
    transport::{
        stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Slow {
    seconds: f64,
}

#[derive(Clone)]
struct Peer;

#[tool_router]
impl Peer {
    #[tool(description = "Say it back")]
    fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    #[tool(description = "Wait")]
    async fn slow(&self, Parameters(Slow { seconds }): Parameters<Slow>) -> String {
        tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
        format!("waited {seconds} s")
    }
}

#[tool_handler]
impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("peer-rust-sdk", "0.0.0"))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["stdio"] => {
            Peer.serve(stdio()).await?.waiting().await?;
        }
        ["http", port] => {
            let service = StreamableHttpService::new(
                || Ok(Peer),
                LocalSessionManager::default().into(),
                StreamableHttpServerConfig::default(),
            );
            let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
            axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
        }
        _ => return Err("usage: peer stdio | http PORT".into()),
    }
    Ok(())
}
