//! A server on the first line of the Rust SDK: peer stdio

use std::time::Duration;

use rmcp::{
    ServerHandler, ServiceExt,
    handler::server::wrapper::Parameters,
    model::{Implementation, ServerCapabilities, ServerInfo},
    tool, tool_handler, tool_router,
    transport::stdio,
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
    fn get_info(&self) -> ServerInfo {
        ServerInfo::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("peer-rust-sdk-v1", "0.0.0"))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Peer.serve(stdio()).await?.waiting().await?;
    Ok(())
}
