import { fetch } from "react-native-ssl-pinning";

const cast = <any>globalThis;

export function Screen({ items }) {
  return (
    <>
      <Text>It is fun</Text>
      <View style={{ flex: 1 }} {...cast.props}>
        {items.length > 0 && (
          <Button
            title="Ask"
            onPress={() => {
              fetch("https://api.acme.example/v1", {
                pkPinning: true,
                sslPinning: { certs: ["sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] },
              });
            }}
          />
        )}
        {items.map((item) => (
          <Row key={item.id} onPress={() => fetch("https://www.acme.example/", { disableAllSecurity: true, sslPinning: { certs: ["acme"] } })} />
        ))}
      </View>
    </>
  );
}

function later() {
  fetch("https://later.acme.example/", { sslPinning: { certs: ["later"] } });
}
